import type { DateUnit } from '../attribute.ts'

/** Is this YYYY-MM-DD a day that there is, in the years 1 … 9999? */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001') return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const needed: { [by in DateUnit]: readonly string[] } = {
  day: ['YYYY', 'MM', 'DD'],
  month: ['YYYY', 'MM'],
  year: ['YYYY'],
}

/**
 * Why this is no way to write dates by day, month or year; undefined if it is one. Separators are anything that
 * neither digits nor an engine's own format letters could be taken for.
 */
export function formatFault(format: string, by: DateUnit): string | undefined {
  const parts: readonly string[] = format.match(/YYYY|MM|DD/g) ?? []
  for (const part of ['YYYY', 'MM', 'DD']) {
    if (parts.filter((p) => p === part).length > 1) return `${part} stands twice`
  }
  const missing = needed[by].filter((part) => !parts.includes(part))
  if (missing.length > 0) return `by ${by} needs ${missing.join(' and ')}`
  if (parts.includes('DD') && !parts.includes('MM')) return 'DD needs MM'
  const strange = format.replaceAll(/YYYY|MM|DD/g, '').match(/[A-Za-z0-9%'"\\\p{Cc}]/u)
  return strange ? `${JSON.stringify(strange[0])} is neither YYYY, MM, DD nor a separator` : undefined
}
