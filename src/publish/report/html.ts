/** Text as it stands in HTML and in attributes of it: nothing of it is markup. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** At most so many characters, so that labels do not run into each other. */
export const shortened = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`
}

/** A place in a picture: a tenth of a pixel is enough. */
export const fix = (value: number): string => String(Math.round(value * 10) / 10)

/** 1234 as 1,234; fractions with three digits that count. */
export function words(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}

/** 1234 as 1.2k: for small places. */
export function brief(value: number): string {
  for (const [unit, letter] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (value >= unit) return `${Number((value / unit).toPrecision(value / unit >= 100 ? 3 : 2))}${letter}`
  return String(Math.round(value))
}
