"""What rendered pages say and show: their heads, their content, and links written into their heads."""
