"""What positions are worth, told apart by what for: the games' own functions, explained."""
