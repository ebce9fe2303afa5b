"""How far pictures of four bytes a pixel agree."""


def agree(ours, theirs):
  """(pixels that are within 2/255 in every channel, of 1; how many colours the second has)"""
  pixels = range(0, len(theirs), 4)
  close = sum(all(abs(a - b) <= 2 for a, b in zip(ours[i:i + 4], theirs[i:i + 4])) for i in pixels)
  return close / len(pixels), len({theirs[i:i + 4] for i in pixels})
