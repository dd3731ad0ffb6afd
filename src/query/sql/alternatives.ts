// What to ask instead of what people try most; x and y are attributes.
const extreme = (share: string) =>
  `It depends on a single record, so it cannot be answered privately. Ask for a quantile near it: PERCENTILE_DISC(${share}) WITHIN GROUP (ORDER BY x).`
const records =
  'Records are never shown. Ask for counts, sums and averages of groups, or make a synthetic table: `reticent synth`.'
const distinct =
  'The values are those that the policy lists. Ask how many records have each: SELECT x, COUNT(*) … GROUP BY x. People with several records cannot be counted, only their records.'
const ofBooleans =
  'It depends on a single record, so it cannot be answered privately. Ask for how many it is true: COUNT(*) FILTER (WHERE x), or AVG(x::int).'
const texts = "Match with x ~ '^a' or x LIKE 'a%', or take a part: left(x, 2)."
const conditional = 'Write COUNT(*) FILTER (WHERE …), or SUM(x) FILTER (WHERE …).'
const today = "Write the date itself: x < DATE '2008-01-31'."
const windows = 'Over groups there are SUM(COUNT(*)) OVER (…), AVG, LAG, LEAD, RANK(), DENSE_RANK() and ROW_NUMBER().'
const choice = 'Write CASE WHEN condition THEN a ELSE b END.'
const asked =
  'Its attributes are in the policy; SELECT x, COUNT(*) FROM the dataset GROUP BY x counts the values of one.'
const counted = 'The groups are all those that the policy allows, empty or not. Ask for COUNT(*) of each.'

const functions: { readonly [name: string]: string } = {
  min: extreme('0.01'),
  max: extreme('0.99'),
  approx_count_distinct: distinct,
  bool_or: ofBooleans,
  bool_and: ofBooleans,
  every: ofBooleans,
  array_agg: records,
  list: records,
  string_agg: records,
  first: records,
  last: records,
  any_value: records,
  round: 'Round a whole column: SELECT round(AVG(x), 2).',
  sum_if: conditional,
  sumif: conditional,
  age: today,
  now: today,
  random: 'The same question must have the same meaning whenever it is asked: leave it out.',
  if: choice,
  iff: choice,
  iif: choice,
  decode: choice,
  ifnull: 'Write COALESCE(x, 0).',
  nvl: 'Write COALESCE(x, 0).',
  isnull: 'Write x IS NULL.',
  date_format: "Write to_char(x, 'YYYY-MM'), or date_trunc('month', x).",
  geomean: 'Ask AVG(ln(x)) and take its exponential; so with the ends of its interval.',
  ntile: 'Ask for the quantiles, PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x), and group by them with CASE.',
  regexp_matches: texts,
  regexp_replace: texts,
  rank: 'Write RANK() OVER (ORDER BY COUNT(*) DESC), beside GROUP BY.',
  row_number: 'Write ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC), beside GROUP BY.',
}

const constructs: { readonly [nodeOrField: string]: string } = {
  A_Star: records,
  ExplainStmt: 'Ask for the plan of the question itself: --plan says what it would cost.',
  VariableShowStmt: asked,
  GroupingFunc:
    'A total names the keys that it sums over in `all`, and the table shows them as (all); the rows of the finest set come first.',
  JoinExpr: 'Questions are about one table. The owner can join others to it in a view: `sql:` in the policy.',
  ParamRef: 'Write the value itself.',
  RangeTableSample: 'Leave it out: answers are about all records.',
  SQLValueFunction: today,
  testexpr: 'Write the values themselves: x IN (1, 2).',
  SubLink: 'Ask the inner statement first, and insert its answer as a number.',
  agg_distinct: distinct,
  larg: 'Ask each part by itself.',
  rarg: 'Ask each part by itself.',
  schemaname: 'Write the name of the table alone.',
  catalogname: 'Write the name of the table alone.',
}

const own = (hints: { readonly [name: string]: string }, name: string): string | undefined =>
  Object.hasOwn(hints, name) ? hints[name] : undefined

/** What to write instead of a function that is not known. */
export const insteadOfFunction = (name: string): string | undefined => own(functions, name.toLowerCase())

/** What to write instead of a window function that is not known. */
export const insteadOfWindow = (name: string): string =>
  name === 'max' || name === 'min'
    ? 'ORDER BY at the end puts the greatest first. RANK() OVER (ORDER BY COUNT(*) DESC) ranks.'
    : name === 'count'
      ? counted
      : windows

/** What to write instead of a node or a field that is not allowed, of a call of a function where it is one. */
export const insteadOf = (construct: string, name?: string): string | undefined =>
  (name === undefined ? undefined : insteadOfFunction(name)) ?? own(constructs, construct)

/** What other dialects write that this grammar cannot read. */
const dialects: readonly (readonly [RegExp, string])[] = [
  [/\bGROUP\s+BY\s+ALL\b/i, 'Name the keys after GROUP BY, or their positions: GROUP BY 1, 2.'],
  [/\bQUALIFY\b/i, 'Put all conditions on groups into one QUALIFY, without HAVING.'],
  [/\bSELECT\s+TOP\b/i, 'Write LIMIT n at the end.'],
  [/^\s*(DESCRIBE|DESC|PRAGMA|SUMMARIZE)\b/i, asked],
  [/^\s*FROM\b/i, 'Begin with SELECT: SELECT COUNT(*) FROM the dataset.'],
  [/^\s*PIVOT\b/i, 'Name both keys: SELECT x, y, COUNT(*) FROM the dataset GROUP BY x, y.'],
  [/\bGLOB\b/i, texts],
  [/\b(QUANTILE|PERCENTILE)\w*\s*\([^)]*\[/i, 'Write the list with ARRAY: QUANTILE_CONT(x, ARRAY[0.25, 0.75]).'],
  [/\[/, 'Names are quoted with double quotes: "my column". Lists are written ARRAY[1, 2].'],
  [/`/, 'Names are quoted with double quotes: "my column".'],
]

/** What to write instead where a statement cannot be read at all. */
export const insteadOfDialect = (text: string): string | undefined => dialects.find(([form]) => form.test(text))?.[1]
