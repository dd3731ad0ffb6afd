/** A statement that an analyst writes without thinking of privacy. */
export interface OrdinaryStatement {
  readonly sql: string
  /** Where it is refused today: the statement that comes nearest, and works. */
  readonly instead?: string
}

const works = (...statements: string[]): OrdinaryStatement[] => statements.map((sql) => ({ sql }))
const refused = (...pairs: [sql: string, instead: string][]): OrdinaryStatement[] =>
  pairs.map(([sql, instead]) => ({ sql, instead }))

/** More of them, written down before anybody looked at which of them work; the last few do not. */
export const furtherStatements: readonly OrdinaryStatement[] = [
  ...works(
    'SELECT state, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () AS share FROM people GROUP BY state',
    'SELECT state, 100.0 * COUNT(*) / (SELECT COUNT(*) FROM people) AS percent FROM people GROUP BY state',
    'SELECT ROUND(100.0 * COUNT(*) FILTER (WHERE income > 100000) / COUNT(*), 1) AS rich FROM people',
    'SELECT MODE(state) FROM people',
    'SELECT state, COUNT(*) FROM people GROUP BY state ORDER BY COUNT(*) DESC FETCH FIRST 3 ROWS ONLY',
    'SELECT state, COUNT(*) AS n, DENSE_RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM people GROUP BY state',
    'SELECT state, COUNT(*), ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) FROM people GROUP BY state',
    'SELECT age, SUM(COUNT(*)) OVER (ORDER BY age) AS running FROM people GROUP BY age ORDER BY age',
    'SELECT COUNT(*) AS n, AVG(age) AS mean, STDDEV(age) AS sd FROM people',
    'SELECT sex, COUNT(*) AS "number of people" FROM people GROUP BY sex ORDER BY "number of people" DESC',
    "SELECT state || '/' || sex AS who, COUNT(*) FROM people GROUP BY 1",
    'SELECT (age >= 65) AS senior, member, COUNT(*) FROM people GROUP BY 1, 2',
    "SELECT CASE WHEN age >= 65 OR member THEN 'a' ELSE 'b' END AS kind, COUNT(*) FROM people GROUP BY kind",
    "SELECT COUNT(*) FROM people WHERE (age, state) IN ((30, 'CA'), (40, 'NY'))",
    "SELECT SUM(income) FILTER (WHERE sex = 'Male') - SUM(income) FILTER (WHERE sex = 'Female') AS gap FROM people",
    "SELECT AVG(income) FILTER (WHERE sex = 'Male') / AVG(income) FILTER (WHERE sex = 'Female') AS ratio FROM people",
    'SELECT sex, COUNT(*) FROM people WHERE income IS NOT NULL GROUP BY sex HAVING COUNT(*) BETWEEN 10 AND 1000000',
    'SELECT t.sex, t.n FROM (SELECT sex, COUNT(*) AS n FROM people GROUP BY sex) AS t ORDER BY t.n DESC',
    'WITH counts AS (SELECT state, COUNT(*) AS n FROM people GROUP BY state) SELECT state, n FROM counts WHERE n > 20',
    'SELECT COUNT(*)::float / NULLIF(COUNT(income), 0) FROM people',
    'SELECT COUNT(*) FROM people WHERE TRUE',
    "SELECT COUNT(*) FROM people WHERE state NOT IN ('CA', 'NY') AND NOT member",
    "SELECT COUNT(*) FROM people WHERE born BETWEEN '1980-01-01' AND '1989-12-31'",
    'SELECT sex, state, AVG(income) FROM people GROUP BY sex, state ORDER BY sex, 3 DESC',
    'SELECT state, COUNT(*) FROM people GROUP BY state ORDER BY COUNT(*) DESC LIMIT 3 OFFSET 1',
    'SELECT sex, state, COUNT(*) FROM people GROUP BY CUBE (sex, state)',
    'SELECT sex, state, COUNT(*) FROM people GROUP BY GROUPING SETS ((sex), (state), ())',
    'SELECT approx_quantile(income, 0.5) FROM people',
    'SELECT PERCENTILE_CONT(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY income) FROM people',
    'SELECT sex, COUNT(*), 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS pct FROM people GROUP BY sex ORDER BY pct DESC',
    'SELECT state, sex, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (PARTITION BY state) AS pct FROM people GROUP BY state, sex',
    'SELECT state, COUNT(*) - LAG(COUNT(*)) OVER (ORDER BY state) FROM people GROUP BY state',
    "SELECT AVG(income) - (SELECT AVG(income) FROM people) AS diff FROM people WHERE sex = 'Female'",
    'SELECT COUNT(*) FROM public.people',
    'SELECT VAR_POP(income), STDDEV_POP(income) FROM people WHERE age > 20;',
    'SELECT sum(age * income) / sum(income) AS weighted FROM people',
    'SELECT SUM(member::int) * 100.0 / COUNT(*) FROM people',
    'SELECT state, COUNT(*) FROM people GROUP BY state QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) <= 3',
    'SELECT COUNT(CASE WHEN age < 18 THEN 1 END) AS minors, COUNT(CASE WHEN age >= 18 THEN 1 END) AS adults FROM people',
    'SELECT state, AVG(income) FROM people WHERE age > 20 GROUP BY state HAVING COUNT(*) > 30 ORDER BY 2 DESC NULLS LAST LIMIT 5',
    'SELECT floor(age/5)*5 AS lo, floor(age/5)*5+4 AS hi, COUNT(*) FROM people GROUP BY lo, hi ORDER BY lo',
    "SELECT COUNT(*) FROM people WHERE state = ANY (ARRAY['CA', 'NY'])",
    'SELECT GREATEST(COUNT(*), 0) FROM people',
    'SELECT COALESCE(SUM(income), 0) AS total FROM people',
    'SELECT sex, SUM(income) / SUM(SUM(income)) OVER () AS share FROM people GROUP BY sex',
    'SELECT state, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS total FROM people GROUP BY state',
  ),
  ...refused(
    ["SELECT 'people' AS what, COUNT(*) FROM people", 'SELECT COUNT(*) FROM people'],
    [
      "SELECT sex, COUNT(*) AS n FROM people GROUP BY sex UNION ALL SELECT 'all', COUNT(*) FROM people",
      'SELECT sex, COUNT(*) AS n FROM people GROUP BY ROLLUP (sex)',
    ],
    [
      'SELECT BOOL_OR(member), EVERY(member) FROM people',
      'SELECT COUNT(*) FILTER (WHERE member), AVG(member::int) FROM people',
    ],
    ['SELECT COUNT(DISTINCT state), COUNT(*) FROM people', 'SELECT state, COUNT(*) FROM people GROUP BY state'],
    ['SELECT ANY_VALUE(state) FROM people', 'SELECT state, COUNT(*) FROM people GROUP BY state'],
    ['SELECT COUNT(*) FROM people WHERE EXISTS (SELECT 1 FROM people)', 'SELECT COUNT(*) FROM people'],
    ['SELECT ln(AVG(income)) FROM people', 'SELECT AVG(income) FROM people'],
  ),
]

/** Sixty, as users of PostgreSQL, DuckDB and SmartNoise write them, about the table of workspace.ts. */
export const ordinaryStatements: readonly OrdinaryStatement[] = [
  ...works(
    'SELECT COUNT(*) FROM people',
    'SELECT COUNT(*) AS seniors FROM people WHERE age >= 65',
    'SELECT COUNT(income) FROM people',
    'SELECT SUM(income) FROM people',
    "SELECT AVG(income) FROM people WHERE sex = 'Female'",
    'SELECT SUM(income) / COUNT(*) FROM people',
    'SELECT STDDEV(age), VARIANCE(age) FROM people',
    'SELECT COVAR_POP(age, income) FROM people',
    'SELECT sex, COUNT(*) FROM people GROUP BY sex',
    'SELECT sex, AVG(income) AS income, COUNT(*) AS n FROM people GROUP BY sex',
    'SELECT state, sex, COUNT(*) AS n FROM people GROUP BY state, sex ORDER BY n DESC',
    'SELECT state, AVG(age) FROM people GROUP BY 1 ORDER BY 2 DESC LIMIT 3',
    'SELECT state, COUNT(*) FROM people GROUP BY state HAVING COUNT(*) > 50',
    'SELECT state, AVG(income) FROM people GROUP BY state HAVING AVG(income) > 50000 ORDER BY AVG(income) DESC',
    'SELECT p.sex, COUNT(*) FROM people AS p WHERE p.age > 30 GROUP BY p.sex',
    'SELECT COUNT(*) FILTER (WHERE member) FROM people',
    'SELECT 100.0 * COUNT(*) FILTER (WHERE member) / COUNT(*) AS percent FROM people',
    'SELECT AVG(CASE WHEN age < 30 THEN 1.0 ELSE 0 END) FROM people',
    "SELECT SUM(CASE WHEN sex = 'Male' THEN 1 ELSE 0 END) AS men FROM people",
    'SELECT AVG(member::int) FROM people',
    "SELECT COUNT(*) FROM people WHERE age BETWEEN 20 AND 29 AND state IN ('CA', 'NY')",
    "SELECT COUNT(*) FROM people WHERE NOT (state = 'TX' OR age < 18)",
    'SELECT COUNT(*) FROM people WHERE age >= 18 AND age < 65 AND member IS TRUE',
    "SELECT COUNT(*) FROM people WHERE state LIKE 'C%'",
    'SELECT COUNT(*) FROM people WHERE income IS NULL',
    "SELECT COUNT(*) FROM people WHERE born < DATE '2000-01-01'",
    'SELECT age / 10 * 10 AS decade, COUNT(*) FROM people GROUP BY decade ORDER BY decade',
    'SELECT floor(income / 20000) AS bracket, COUNT(*) FROM people GROUP BY bracket',
    'SELECT width_bucket(income, 0, 200000, 10) AS bucket, COUNT(*) FROM people GROUP BY 1',
    'SELECT extract(year FROM born) AS year, COUNT(*) FROM people GROUP BY year ORDER BY year',
    "SELECT date_trunc('year', born), AVG(income) FROM people GROUP BY 1",
    'SELECT SUM(COALESCE(income, 0)) FROM people',
    'SELECT SUM(income * 1.19) FROM people',
    'SELECT SUM(LEAST(income, 100000)) FROM people',
    'SELECT COUNT(*) FROM people WHERE income > 1000 * age',
    "SELECT CASE WHEN age < 30 THEN 'young' ELSE 'old' END AS generation, COUNT(*) FROM people GROUP BY 1",
    'SELECT upper(state), COUNT(*) FROM people GROUP BY upper(state)',
    "SELECT COUNT(*) FROM people WHERE state ~ '^(CA|NY)$'",
    'SELECT CORR(age, income) FROM people',
    'SELECT REGR_SLOPE(income, age) FROM people',
    'SELECT MEDIAN(income) FROM people',
    'SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY income) FROM people',
    'SELECT sex, QUANTILE_CONT(income, 0.25) FROM people GROUP BY sex',
    'SELECT DISTINCT state FROM people',
    'SELECT ROUND(AVG(income), 2) FROM people',
    'SELECT year(born), COUNT(*) FROM people GROUP BY ALL',
    'SELECT count_if(age >= 18) FROM people',
    'WITH adults AS (SELECT * FROM people WHERE age >= 18) SELECT COUNT(*) FROM adults',
    'SELECT AVG(age) FROM (SELECT age FROM people WHERE member) AS members',
    'SELECT state, sex, COUNT(*) FROM people GROUP BY ROLLUP (state, sex)',
    'SELECT state, COUNT(*), RANK() OVER (ORDER BY COUNT(*) DESC) FROM people GROUP BY state',
    'SELECT state, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM people GROUP BY state',
    'SELECT MODE() WITHIN GROUP (ORDER BY state) FROM people',
  ),
  ...refused(
    [
      'SELECT MIN(age), MAX(age) FROM people',
      'SELECT PERCENTILE_DISC(0.01) WITHIN GROUP (ORDER BY age), PERCENTILE_DISC(0.99) WITHIN GROUP (ORDER BY age) FROM people',
    ],
    [
      'SELECT COUNT(DISTINCT state) FROM people',
      'SELECT state, COUNT(*) FROM people GROUP BY state HAVING COUNT(*) > 10',
    ],
    ['SELECT * FROM people LIMIT 10', 'SELECT sex, state, COUNT(*) FROM people GROUP BY sex, state'],
    [
      'SELECT age, income FROM people WHERE income > 150000',
      'SELECT age, COUNT(*) FROM people WHERE income > 150000 GROUP BY age',
    ],
    [
      "SELECT COUNT(*) FROM people WHERE born < CURRENT_DATE - INTERVAL '18 years'",
      "SELECT COUNT(*) FROM people WHERE born < DATE '2008-01-01'",
    ],
    [
      'SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)',
      'SELECT COUNT(*) FROM people WHERE age > 51',
    ],
    ['SELECT COUNT(*) FROM people JOIN states USING (state)', 'SELECT state, COUNT(*) FROM people GROUP BY state'],
  ),
]

/** What works and what is refused, as docs/sql.md lists it. */
export function ordinaryText(): string {
  const code = (sql: string) => `\`${sql.replaceAll('|', '\\|')}\``
  const plain = ordinaryStatements.filter(({ instead }) => instead === undefined)
  const refused = ordinaryStatements.filter(({ instead }) => instead !== undefined)
  return [
    `Of ${ordinaryStatements.length} ordinary statements, ${plain.length} work as they are:`,
    '',
    ...plain.map(({ sql }) => `- ${code(sql)}`),
    '',
    `${refused.length} are refused, before anything is spent, with a hint at what to ask instead:`,
    '',
    '| statement | instead |',
    '| --- | --- |',
    ...refused.map(({ sql, instead }) => `| ${code(sql)} | ${code(instead!)} |`),
  ].join('\n')
}
