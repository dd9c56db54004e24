"""What tests of games and agents share: small games, positions, and ways to play and to measure."""
