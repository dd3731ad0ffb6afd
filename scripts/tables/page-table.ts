/** A table of a page that a script can make again. */
export interface PageTable {
  /** The page, from the root of the project. */
  readonly page: string
  /** Its cells are as in the page; a table is found by them. */
  readonly header: readonly string[]
  /** The rows below. */
  make(): Promise<readonly (readonly string[])[]>
}

export const rowText = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** A share in percent, with so many digits behind the point. */
export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)}%`

/** A number with three digits. */
export const three = (x: number): string => String(Number(x.toPrecision(3)))
