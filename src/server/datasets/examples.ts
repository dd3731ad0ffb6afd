import { type Attribute, decimalText, isNumber, label, type Policy } from '../../schema/index.ts'
import type { ExampleQuestion } from '../api/index.ts'

/** An identifier as SQL reads it: quoted unless it is plain. */
export const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`

/** So many groups are pleasant to look at. */
const isSmall = ({ size, kind }: Attribute): boolean => (kind === 'values' || kind === 'boolean') && size <= 30

/** A few first questions, made from the policy alone. */
export function examplesFor({ dataset, universe: { attributes }, privacy }: Policy): ExampleQuestion[] {
  const from = quoted(dataset)
  const epsilon = Number((Number(decimalText(privacy.epsilon)) / 100).toPrecision(2))
  const [group, second] = attributes.filter(isSmall)
  const numeric = attributes.find(isNumber)
  const dated = attributes.find(({ kind }) => kind === 'date')
  const middle = numeric && middleOf(numeric)
  const questions = [
    { title: 'How many records are there?', sql: `SELECT COUNT(*) FROM ${from}` },
    group && {
      title: `How many by ${group.name}?`,
      sql: `SELECT ${quoted(group.name)}, COUNT(*) FROM ${from} GROUP BY 1`,
    },
    numeric && {
      title: `What is the average ${numeric.name}?`,
      sql: `SELECT AVG(${quoted(numeric.name)}) FROM ${from}`,
    },
    numeric &&
      middle !== undefined && {
        title: `How many have ${numeric.name} ${middle} or more?`,
        sql: `SELECT COUNT(*) FROM ${from} WHERE ${quoted(numeric.name)} >= ${middle}`,
      },
    dated && {
      title: `How many by ${dated.name}?`,
      sql: `SELECT ${quoted(dated.name)}, COUNT(*) FROM ${from} GROUP BY 1`,
    },
    group &&
      second && {
        title: `How many by ${group.name} and ${second.name}?`,
        sql: `SELECT ${quoted(group.name)}, ${quoted(second.name)}, COUNT(*) FROM ${from} GROUP BY 1, 2`,
      },
  ]
  return questions.filter((question) => !!question).map((question) => ({ ...question, epsilon }))
}

/** A value in the middle of the domain that a comparison may name. */
function middleOf(a: Attribute): string | undefined {
  const text = label(a, Math.floor(a.size / 2))
  return a.kind === 'bins' ? text?.slice(1).split(',')[0] : (text ?? undefined)
}
