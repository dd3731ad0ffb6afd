// What to ask instead of what people try most; x and y are attributes.
const quantile =
  'Quantiles are not there yet. SELECT x, COUNT(*) … GROUP BY x shows where half of the records lie; after `reticent release tree --of x`, every COUNT(*) … WHERE x <= c is free.'
const extreme =
  'A single record decides it, so it cannot be told privately. Ask how many lie beyond a bound: COUNT(*) … WHERE x >= c.'
const records =
  'Records are never shown. Ask for counts, sums and averages of groups, or make up a table: `reticent synth`.'
const distinct =
  'The values are those that the policy lists. Ask how many records have each: SELECT x, COUNT(*) … GROUP BY x.'
const texts =
  "Name the values, x IN ('a', 'b'), or match them: x LIKE 'a%'. Groups by x can be added up afterwards, at no cost."
const conditional = 'Write COUNT(*) FILTER (WHERE …), or SUM(x) FILTER (WHERE …).'
const dates = "Write extract(year FROM x), also quarter, month and day, or date_trunc('month', x)."
const choice = 'In SUM, AVG and COUNT write CASE WHEN x IS NULL THEN 0 ELSE x END, with any condition.'
const slope = 'Write COVAR_POP(x, y) / VAR_POP(x): the slope of y over x.'
const today = "Write the date itself: x < DATE '2008-01-31'."
const whole =
  'ORDER BY ranks groups. For shares ask for the groups, then for COUNT(*), which is free by then, and divide.'

const functions: { readonly [name: string]: string } = {
  median: quantile,
  percentile_cont: quantile,
  percentile_disc: quantile,
  quantile: quantile,
  quantile_cont: quantile,
  quantile_disc: quantile,
  approx_quantile: quantile,
  mode: 'Write SELECT x, COUNT(*) … GROUP BY x ORDER BY 2 DESC LIMIT 1.',
  min: extreme,
  max: extreme,
  approx_count_distinct: distinct,
  array_agg: records,
  list: records,
  string_agg: records,
  first: records,
  last: records,
  any_value: records,
  corr: 'Write COVAR_POP(x, y) / (STDDEV_POP(x) * STDDEV_POP(y)).',
  regr_slope: slope,
  regr_intercept: `AVG(y) less the slope times AVG(x). ${slope}`,
  round:
    'Ask without it: an answer is shown with the digits that mean something. Values of records are rounded by floor(x / 10) * 10.',
  trunc: 'Write floor(x).',
  abs: 'Ask for both sides: x >= c OR x <= -c.',
  coalesce: choice,
  count_if: conditional,
  countif: conditional,
  sum_if: conditional,
  sumif: conditional,
  year: dates,
  month: dates,
  day: dates,
  quarter: dates,
  dayofweek: dates,
  date_diff: today,
  age: today,
  now: today,
  upper: texts,
  lower: texts,
  substr: texts,
  substring: texts,
  left: texts,
  right: texts,
  concat: texts,
  trim: texts,
  regexp_matches: texts,
  starts_with: texts,
  rank: whole,
  row_number: whole,
}

const constructs: { readonly [nodeOrField: string]: string } = {
  A_Star: records,
  CoalesceExpr: choice,
  GroupingSet: 'Ask for the finest table, GROUP BY x, y. Coarser ones are free after that.',
  JoinExpr: 'One table can be asked. The owner can join others to it in a view: `sql:` in the policy.',
  MinMaxExpr: 'In SUM, AVG and COUNT write CASE WHEN x > 100 THEN 100 ELSE x END.',
  ParamRef: 'Write the value itself.',
  RangeSubselect: 'Write FROM with the table itself, and put the conditions of the subquery into WHERE.',
  RangeTableSample: 'Leave it out: answers are about all records.',
  SQLValueFunction: today,
  SubLink: 'Ask the inner statement first, and write its answer as a number.',
  'operator ~': texts,
  'operator ~*': texts,
  'operator !~': texts,
  'operator ||': texts,
  agg_distinct: distinct,
  agg_within_group: quantile,
  arg: 'Write CASE WHEN x = 1 THEN … END.',
  distinctClause: distinct,
  larg: 'Ask each part by itself.',
  rarg: 'Ask each part by itself.',
  over: whole,
  windowClause: whole,
  schemaname: 'Write the name of the table alone.',
  catalogname: 'Write the name of the table alone.',
  withClause: 'Write FROM with the table itself, and put the conditions into WHERE.',
}

const own = (hints: { readonly [name: string]: string }, name: string): string | undefined =>
  Object.hasOwn(hints, name) ? hints[name] : undefined

/** What to write instead of a function that is not known. */
export const insteadOfFunction = (name: string): string | undefined => own(functions, name.toLowerCase())

/** What to write instead of a node or a field that is not allowed, of a call of a function where it is one. */
export const insteadOf = (construct: string, name?: string): string | undefined =>
  (name === undefined ? undefined : insteadOfFunction(name)) ?? own(constructs, construct)

/** What other dialects write that this grammar cannot read. */
const dialects: readonly (readonly [RegExp, string])[] = [
  [/\bGROUP\s+BY\s+ALL\b/i, 'Name the keys after GROUP BY, or their positions: GROUP BY 1, 2.'],
  [/\bQUALIFY\b/i, whole],
  [/\bSELECT\s+TOP\b/i, 'Write LIMIT n at the end.'],
  [/`/, 'Names are quoted with double quotes: "my column".'],
]

/** What to write instead where a statement cannot be read at all. */
export const insteadOfDialect = (text: string): string | undefined => dialects.find(([form]) => form.test(text))?.[1]
