"""The words that pages use of puzzles and of measurements, each with its meaning: the one glossary for readers."""

WORDS = {
    "board": "The puzzle as it is printed. Every board here has exactly one answer, unless it says otherwise.",
    "answer": "A finished board that keeps all rules; of an empty grid, any marking that keeps the rules about marks.",
    "clue": "What a cell prints: a number, or a ? that stands for a number nobody tells.",
    "region": "An area with a bold outline, printed on a Usowan board.",
    "room": "One of the rectangles into which an answer of Nawabari cuts the grid.",
    "block": "Shaded cells of Tasquare that hang together through their sides.",
    "lie": "The one wrong number of a Usowan region. Which one it is, the solver finds out.",
    "clause": "One rule of a genre, such as the one-region clause.",
    "one-region clause": "The rule of Usowan and Tasquare that all unshaded cells hang together through their sides.",
    "reading": "A way to understand the rules. The right one is called the rules; a wrong one is a misreading.",
    "misreading": "The rules as somebody might understand them wrongly, for instance that a region may have no lie.",
    "rung": "One kind of deduction, with a name. Rungs are ordered from the easiest to look for to the hardest.",
    "ladder": "All rungs of a genre. A board is climbed by always using the lowest rung that still says something.",
    "probe": "The highest rung: assume a mark, and drop it when a contradiction follows.",
    "grade": "How hard a board is: the name of the hardest rung that it needs, in a word.",
    "bank": "A stored set of boards, made by a program from answers drawn at random, with a known seed.",
    "95 % interval": (
        "A sample gives a share only roughly. In 95 of 100 samples, an interval made like this holds the share of "
        "all boards."
    ),
    "published": "Figures that somebody else has printed before, which ours are held against.",
}
