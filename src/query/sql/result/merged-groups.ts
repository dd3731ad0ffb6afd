import type { Attribute } from '../../../schema/index.ts'
import type { Grouping } from '../../linear-query.ts'
import { codesIn, fromCodes, type Ranges } from '../condition/ranges.ts'
import type { Computed, Scalar } from '../expression/scalar.ts'
import { indicator } from '../expression/terms.ts'
import type { Key, ResultRow } from '../statement.ts'
import { keyOf, plainKey } from './groups.ts'

/** Codes of one attribute that no key tells apart are one class. */
interface Classes {
  readonly attribute: Attribute
  readonly codes: Ranges
  readonly members: readonly (readonly number[])[]
}

/** Groups of the parts, and the rows of the result that are made of them. */
interface MergedGroups {
  readonly by: readonly Grouping[]
  /** By key, ascending, NULL last. */
  readonly labels: readonly (readonly Key[])[]
  readonly rows: readonly ResultRow[]
  /** Of several sets of keys: the first row of the second. */
  readonly firstTotal?: number
}

type KeyValue = Scalar | Computed
const attributesOf = (key: KeyValue): readonly Attribute[] =>
  key.kind === 'computed' ? key.attributes : [key.attribute]

/** The classes of the attributes that keys look at. */
export function classesOf(keys: readonly KeyValue[], universe: readonly Attribute[], left: (a: Attribute) => Ranges) {
  const looked = new Set(keys.flatMap(attributesOf))
  return universe
    .filter((a) => looked.has(a))
    .map((attribute): Classes => {
      const codes = left(attribute)
      const slices = keys.flatMap((key) => (attributesOf(key).includes(attribute) ? [sliceOf(key, attribute)] : []))
      const members = Map.groupBy(codesIn(codes), (code) => slices.map((slice) => slice(code)).join('|'))
      return { attribute, codes, members: [...members.values()] }
    })
}

/** What a key is at all cells of a code, as a text to compare. */
function sliceOf(key: KeyValue, attribute: Attribute): (code: number) => string {
  if (key.kind === 'scalar') return String
  const axis = key.attributes.indexOf(attribute)
  const inner = key.attributes.slice(axis + 1).reduce((n, { size }) => n * size, 1)
  return (code) => {
    const slice: number[] = []
    for (let start = code * inner; start < key.places.length; start += inner * attribute.size)
      for (let i = 0; i < inner; i++) slice.push(key.places[start + i]!)
    return slice.join()
  }
}

/** Rows for every set of keys: groups whose keys are equal are added up, and keys that are not in the set are NULL. */
export function mergedGroups(
  keys: readonly KeyValue[],
  sets: readonly (readonly KeyValue[])[],
  classes: readonly Classes[],
): MergedGroups {
  const places = placesIn(keys, classes)
  const bySet = sets.map((set) =>
    rowsOf(
      keys.map((key) => set.includes(key)),
      places,
    ),
  )
  const label = keys.map((key) => (place: number) => labelAt(key, place))
  return {
    by: classes.map(groupingOf),
    labels: places.map((of, k) => [...new Set(of)].sort(nullLast).map(label[k]!)),
    rows: bySet.flat().map(({ at, groups }): ResultRow => {
      const all = at.flatMap((place, k) => (place === absent ? [k] : []))
      return {
        keys: at.map((place, k) => (place === absent ? null : label[k]!(place))),
        groups,
        ...(all.length > 0 && { all }),
      }
    }),
    ...(sets.length > 1 && { firstTotal: bySet[0]!.length }),
  }
}

const groupingOf = ({ attribute, members, codes }: Classes): Grouping => {
  const isWhole = members.length === attribute.size && codes.length > 0
  return isWhole
    ? { attribute: attribute.name }
    : { attribute: attribute.name, groups: members.map((own) => indicator(fromCodes(own))) }
}

/** By key its place at every group. */
function placesIn(keys: readonly KeyValue[], classes: readonly Classes[]): Int32Array[] {
  const cells = classes.reduce((n, { members }) => n * members.length, 1)
  const places = keys.map(() => new Int32Array(cells))
  const codes = new Map<Attribute, number>()
  for (let cell = 0; cell < cells; cell++) {
    let rest = cell
    for (let i = classes.length - 1; i >= 0; i--) {
      const { attribute, members } = classes[i]!
      codes.set(attribute, members[rest % members.length]![0]!)
      rest = Math.floor(rest / members.length)
    }
    for (const [k, key] of keys.entries()) {
      const at = attributesOf(key).reduce((index, a) => index * a.size + codes.get(a)!, 0)
      places[k]![cell] = key.kind === 'computed' ? key.places[at]! : at
    }
  }
  return places
}

/** The place of a key that a set does not have. */
const absent = -2

function rowsOf(isKept: readonly boolean[], places: readonly Int32Array[]): { at: number[]; groups: number[] }[] {
  const found = new Map<string, { at: number[]; groups: number[] }>()
  // A total of all is there even where no group is.
  if (!isKept.includes(true)) {
    const at = places.map(() => absent)
    found.set(at.join(), { at, groups: [] })
  }
  for (let cell = 0; cell < places[0]!.length; cell++) {
    const at = places.map((of, k) => (isKept[k] ? of[cell]! : absent))
    const key = at.join()
    const row = found.get(key)
    if (row) row.groups.push(cell)
    else found.set(key, { at, groups: [cell] })
  }
  return [...found.values()].sort((a, b) => {
    const k = a.at.findIndex((place, i) => place !== b.at[i])
    return k < 0 ? 0 : nullLast(a.at[k]!, b.at[k]!)
  })
}

const nullLast = (a: number, b: number): number => (a < 0 ? 1 : b < 0 ? -1 : a - b)

const labelAt = (key: KeyValue, place: number): Key =>
  key.kind === 'scalar' ? plainKey(key, place) : keyOf(key.values[place] ?? null)
