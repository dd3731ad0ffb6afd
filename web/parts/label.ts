/** Letters of a label that an axis has room for. */
const mostLetters = 20

/** A label beside an axis: the whole of it is in the title of what it stands for. */
export const axisLabel = (label: string): string =>
  label.length > mostLetters ? `${label.slice(0, mostLetters - 1).trimEnd()}…` : label
