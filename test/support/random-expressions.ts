import type { Draw } from '../system/sql-statements.ts'

const pick = <T>(draw: Draw, items: readonly T[]): T => items[draw(items.length)]!

/** Random expressions of PostgreSQL's, by type, over age, kids (integers), pay (numeric), "State", sex, member and seen (a date). */
export class RandomExpressions {
  readonly #draw: Draw
  constructor(draw: Draw) {
    this.#draw = draw
  }

  any(depth: number): string {
    return pick(this.#draw, [this.integer, this.numeric, this.text, this.truth, this.truth, this.date]).call(
      this,
      depth,
    )
  }

  integer(depth: number): string {
    const draw = this.#draw
    if (depth === 0) return pick(draw, ['age', 'kids', 'age', `${draw(9) - 3}`, '2', '10'])
    const n = () => this.integer(depth - 1)
    const s = () => this.text(depth - 1)
    const d = () => this.date(depth - 1)
    return pick(draw, [
      () => `(${n()} ${pick(draw, ['+', '-', '*', '/', '%'])} ${n()})`,
      () => `(${n()} ${pick(draw, ['+', '-', '*', '/', '%'])} ${n()})`,
      () => `abs(${n()})`,
      () => `(- ${n()})`,
      () => `length(${s()})`,
      () => `strpos(${s()}, ${s()})`,
      () => `mod(${n()}, ${n()})`,
      () => `(${this.numeric(depth - 1)})::int`,
      () => `(${this.truth(depth - 1)})::int`,
      () => `(${d()} - ${d()})`,
      () => `CASE WHEN ${this.truth(depth - 1)} THEN ${n()} ELSE ${n()} END`,
      () => `CASE ${n()} WHEN ${n()} THEN ${n()} WHEN 2 THEN 7 END`,
      () => `COALESCE(${n()}, ${n()})`,
      () => `NULLIF(${n()}, ${n()})`,
      () => `${pick(draw, ['GREATEST', 'LEAST'])}(${n()}, ${n()}, 3)`,
      () => `width_bucket(${n()}, ${n()}, ${n()}, 3)`,
      () => `extract(${pick(draw, fields)} FROM ${d()})::int`,
      () => `extract(${pick(draw, ['year', 'month', 'day'])} FROM age(${d()}, seen))::int`,
    ])()
  }

  numeric(depth: number): string {
    const draw = this.#draw
    if (depth === 0) return pick(draw, ['pay', 'pay', '1.19', '0.5', '-2.25', '100.0', 'age'])
    const x = () => pick(draw, [this.numeric, this.numeric, this.integer]).call(this, depth - 1)
    return pick(draw, [
      () => `(${x()} ${pick(draw, ['+', '-', '*', '/', '%'])} ${this.numeric(depth - 1)})`,
      () => `(${x()} ${pick(draw, ['+', '-', '*'])} ${this.numeric(depth - 1)})`,
      () => `round(${this.numeric(depth - 1)}${pick(draw, ['', ', 1', ', -1', ', 3'])})`,
      () => `trunc(${this.numeric(depth - 1)}${pick(draw, ['', ', 1'])})`,
      () => `floor(${this.numeric(depth - 1)})`,
      () => `ceil(${this.numeric(depth - 1)})`,
      () => `abs(${x()})`,
      () => `sign(${this.numeric(depth - 1)})`,
      () => `(${x()})::numeric(${pick(draw, ['6, 1', '4, 2', '5'])})`,
      () => `CASE WHEN ${this.truth(depth - 1)} THEN ${x()} ELSE ${this.numeric(depth - 1)} END`,
      () => `COALESCE(${x()}, ${this.numeric(depth - 1)})`,
      () => `LEAST(${x()}, ${this.numeric(depth - 1)})`,
      () => `extract(${pick(draw, fields)} FROM ${this.date(depth - 1)})`,
      () => `date_part('${pick(draw, fields)}', ${this.date(depth - 1)})::numeric`,
    ])()
  }

  text(depth: number): string {
    const draw = this.#draw
    if (depth === 0) return pick(draw, ['"State"', '"State"', 'sex', "'e'", "'ab cd'", "''", "'N'"])
    const s = () => this.text(depth - 1)
    const n = () => pick(draw, ['1', '2', '0', '-1', '-2', 'age', 'kids'])
    return pick(draw, [
      () => `(${s()} || ${s()})`,
      () => `("State" || ${this.integer(depth - 1)})`,
      () => `${pick(draw, ['upper', 'lower', 'trim', 'ltrim', 'rtrim'])}(${s()})`,
      () => `substr(${s()}, ${n()})`,
      () => `substr(${s()}, ${n()}, ${n()})`,
      () => `substring(${s()} FROM ${n()} FOR 2)`,
      () => `${pick(draw, ['left', 'right'])}(${s()}, ${n()})`,
      () => `${pick(draw, ['lpad', 'rpad'])}(${s()}, ${n()}${pick(draw, ['', ", 'xy'"])})`,
      () => `replace(${s()}, ${s()}, ${s()})`,
      () => `split_part(${s()}, ${pick(draw, ["'_'", "'e'"])}, ${pick(draw, ['1', '2', '-1'])})`,
      () => `trim(both ${pick(draw, ["'e'", "'NY'"])} FROM ${s()})`,
      () => `concat(${s()}, ${this.integer(depth - 1)}, ${s()})`,
      () => `concat_ws('-', ${s()}, ${s()})`,
      () => `(${this.integer(depth - 1)})::text`,
      () => `(${this.truth(depth - 1)})::text`,
      () => `(${s()})::varchar(3)`,
      () => `to_char(${this.date(depth - 1)}, ${pick(draw, ["'YYYY-MM'", "'DD.MM.YYYY'", "'IYYY-IW'"])})`,
      () => `CASE WHEN ${this.truth(depth - 1)} THEN ${s()} ELSE ${s()} END`,
      () => `COALESCE(${s()}, ${s()})`,
      () => `NULLIF(${s()}, ${s()})`,
      () => `GREATEST(${s()}, ${s()})`,
    ])()
  }

  date(depth: number): string {
    const draw = this.#draw
    if (depth === 0) return pick(draw, ['seen', 'seen', "DATE '2020-02-29'", "DATE '2019-12-31'"])
    const d = () => this.date(depth - 1)
    const interval = () => `INTERVAL '${1 + draw(14)} ${pick(draw, ['days', 'months', 'years', 'weeks'])}'`
    return pick(draw, [
      () => `(${d()} ${pick(draw, ['+', '-'])} ${pick(draw, ['7', 'kids', '40'])})`,
      () => `(${d()} ${pick(draw, ['+', '-'])} ${interval()})::date`,
      () => `date_trunc('${pick(draw, ['day', 'week', 'month', 'quarter', 'year', 'decade'])}', ${d()})::date`,
      () => `CASE WHEN ${this.truth(depth - 1)} THEN ${d()} END`,
      () => `LEAST(${d()}, ${d()})`,
      () => `make_date(2020, kids, 3)`,
      () => `('2020-0' || kids || '-15')::date`,
    ])()
  }

  truth(depth: number): string {
    const draw = this.#draw
    if (depth === 0) return pick(draw, ['member', 'member', 'true', 'age > 2', "sex = 'Male'", 'pay IS NULL'])
    const compared = () => {
      const side = pick(draw, [this.integer, this.numeric, this.text, this.date])
      return () => side.call(this, depth - 1)
    }
    const of = compared()
    const s = () => this.text(depth - 1)
    return pick(draw, [
      () => `(${of()} ${pick(draw, ['=', '<>', '<', '<=', '>', '>='])} ${of()})`,
      () => `(${of()} ${pick(draw, ['=', '<>', '<', '<=', '>', '>='])} ${of()})`,
      () => `(${of()} IS ${pick(draw, ['', 'NOT '])}DISTINCT FROM ${of()})`,
      () => `(${of()} ${pick(draw, ['', 'NOT '])}BETWEEN ${pick(draw, ['', 'SYMMETRIC '])}${of()} AND ${of()})`,
      () => `(${of()} ${pick(draw, ['', 'NOT '])}IN (${of()}, ${of()}))`,
      () => `(${of()} IS ${pick(draw, ['', 'NOT '])}NULL)`,
      () => `(${this.truth(depth - 1)} ${pick(draw, ['AND', 'OR'])} ${this.truth(depth - 1)})`,
      () => `(NOT ${this.truth(depth - 1)})`,
      () => `(${this.truth(depth - 1)} IS ${pick(draw, ['', 'NOT '])}${pick(draw, ['TRUE', 'FALSE', 'UNKNOWN'])})`,
      () =>
        `(${s()} ${pick(draw, ['', 'NOT '])}${pick(draw, ['LIKE', 'ILIKE'])} ${pick(draw, ["'%a%'", "'N_'", "'new\\_%'", "'%e'", "'O''%' ESCAPE '!'"])})`,
      () =>
        `(${s()} ${pick(draw, ['', 'NOT '])}SIMILAR TO ${pick(draw, ["'(N|G)_'", "'%[aeiou]%'", "'[A-Z]+'", "'n.*'", "'_{2,4}'"])})`,
      () =>
        `(${s()} ${pick(draw, ['~', '~*', '!~', '!~*'])} ${pick(draw, ["'^n'", "'a$'", "'[aeiou]{2}'", "'(N|G)[YU]'", "'\\w+_'", "'^\\d+$'", "'o.+a|^F'", "'[[:upper:]]{2}'"])})`,
      () => `starts_with(${s()}, ${s()})`,
    ])()
  }
}

const fields = ['year', 'quarter', 'month', 'week', 'day', 'dow', 'isodow', 'doy', 'decade', 'century', 'isoyear']
