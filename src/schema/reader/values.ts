import { resolve } from 'node:path'
import { type Entry, isNull, type Reading } from './reading.ts'
import { readText } from './text.ts'

/** The listed values of an attribute, as texts exactly as they are written: 007 is not 7. */
export async function readValues(reading: Reading, entry: Entry, folder: string): Promise<string[] | undefined> {
  const values = reading.isList(entry) ? inline(reading, entry) : await fromFile(reading, entry, folder)
  if (!values) return undefined
  if (values.length === 0) return reading.mistake(entry, 'expected at least one value')
  const seen = new Set<string>()
  const twice = new Set(values.filter((v) => seen.size === seen.add(v).size))
  if (twice.size === 0) return values
  const some = [...twice].slice(0, 5).map((v) => JSON.stringify(v))
  return reading.mistake(
    entry,
    `each value must be listed once; repeated: ${some.join(', ')}${twice.size > 5 ? ', …' : ''}`,
  )
}

function inline(reading: Reading, entry: Entry): string[] | undefined {
  const before = reading.mistakes.length
  const values = reading.items(entry, 'a list of values')!.map((at) => {
    const scalar = reading.scalar(at)
    if (!scalar) return reading.mistake(at, 'expected a value')
    if (isNull(scalar))
      return reading.mistake(
        at,
        'expected a value; NULL need not be listed, and a text that looks like it needs quotes',
      )
    return scalar.value
  })
  return reading.mistakes.length === before ? (values as string[]) : undefined
}

async function fromFile(reading: Reading, entry: Entry, folder: string): Promise<string[] | undefined> {
  const text = reading.text(entry, 'a list of values, or file:PATH')
  if (text === undefined) return undefined
  if (!/^file:./.test(text)) return reading.mistake(entry, 'expected a list of values, or file:PATH')
  const read = await readText(resolve(folder, text.slice('file:'.length)))
  if ('fault' in read) return reading.mistake(entry, `${text.slice('file:'.length)}: ${read.fault}`)
  const values = read.text.split(/\r?\n/)
  if (values.at(-1) === '') values.pop()
  const empty = values.indexOf('')
  return empty < 0 ? values : reading.mistake(entry, `${text.slice('file:'.length)}: line ${empty + 1} is empty`)
}
