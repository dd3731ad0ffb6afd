/** A statement that an analyst writes without thinking of privacy. */
export interface OrdinaryStatement {
  readonly sql: string
  /** Where it is refused today: the statement that comes nearest, and works. */
  readonly instead?: string
}

const works = (...statements: string[]): OrdinaryStatement[] => statements.map((sql) => ({ sql }))
const refused = (...pairs: [sql: string, instead: string][]): OrdinaryStatement[] =>
  pairs.map(([sql, instead]) => ({ sql, instead }))

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
  ),
  ...refused(
    ['SELECT MEDIAN(income) FROM people', 'SELECT income, COUNT(*) FROM people GROUP BY income ORDER BY income'],
    [
      'SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY income) FROM people',
      'SELECT COUNT(*) FILTER (WHERE income <= 180000) / COUNT(income) FROM people',
    ],
    [
      'SELECT sex, QUANTILE_CONT(income, 0.25) FROM people GROUP BY sex',
      'SELECT sex, COUNT(*) FILTER (WHERE income <= 50000) / COUNT(income) FROM people GROUP BY sex',
    ],
    [
      'SELECT MODE() WITHIN GROUP (ORDER BY state) FROM people',
      'SELECT state, COUNT(*) FROM people GROUP BY state ORDER BY 2 DESC LIMIT 1',
    ],
    [
      'SELECT MIN(age), MAX(age) FROM people',
      'SELECT COUNT(*) FILTER (WHERE age <= 20), COUNT(*) FILTER (WHERE age >= 80) FROM people',
    ],
    [
      'SELECT COUNT(DISTINCT state) FROM people',
      'SELECT state, COUNT(*) FROM people GROUP BY state HAVING COUNT(*) > 10',
    ],
    ['SELECT DISTINCT state FROM people', 'SELECT state, COUNT(*) FROM people GROUP BY state'],
    ['SELECT * FROM people LIMIT 10', 'SELECT sex, state, COUNT(*) FROM people GROUP BY sex, state'],
    [
      'SELECT age, income FROM people WHERE income > 150000',
      'SELECT age, COUNT(*) FROM people WHERE income > 150000 GROUP BY age',
    ],
    [
      'SELECT CORR(age, income) FROM people',
      'SELECT COVAR_POP(age, income) / (STDDEV_POP(age) * STDDEV_POP(income)) FROM people',
    ],
    ['SELECT REGR_SLOPE(income, age) FROM people', 'SELECT COVAR_POP(age, income) / VAR_POP(age) FROM people'],
    ['SELECT ROUND(AVG(income), 2) FROM people', 'SELECT AVG(income) FROM people'],
    [
      'SELECT SUM(COALESCE(income, 0)) FROM people',
      'SELECT SUM(CASE WHEN income IS NULL THEN 0 ELSE income END) FROM people',
    ],
    ['SELECT SUM(income * 1.19) FROM people', 'SELECT 1.19 * SUM(income) FROM people'],
    [
      'SELECT SUM(LEAST(income, 100000)) FROM people',
      'SELECT SUM(CASE WHEN income > 100000 THEN 100000 ELSE income END) FROM people',
    ],
    ['SELECT COUNT(*) FROM people WHERE income > 1000 * age', 'SELECT age, income, COUNT(*) FROM people GROUP BY 1, 2'],
    [
      "SELECT COUNT(*) FROM people WHERE born < CURRENT_DATE - INTERVAL '18 years'",
      "SELECT COUNT(*) FROM people WHERE born < DATE '2008-01-01'",
    ],
    [
      "SELECT CASE WHEN age < 30 THEN 'young' ELSE 'old' END AS generation, COUNT(*) FROM people GROUP BY 1",
      'SELECT COUNT(*) FILTER (WHERE age < 30) AS young, COUNT(*) FILTER (WHERE age >= 30) AS old FROM people',
    ],
    [
      'SELECT upper(state), COUNT(*) FROM people GROUP BY upper(state)',
      'SELECT state, COUNT(*) FROM people GROUP BY state',
    ],
    [
      "SELECT COUNT(*) FROM people WHERE state ~ '^(CA|NY)$'",
      "SELECT COUNT(*) FROM people WHERE state IN ('CA', 'NY')",
    ],
    [
      'SELECT year(born), COUNT(*) FROM people GROUP BY ALL',
      'SELECT extract(year FROM born), COUNT(*) FROM people GROUP BY 1',
    ],
    ['SELECT count_if(age >= 18) FROM people', 'SELECT COUNT(*) FILTER (WHERE age >= 18) FROM people'],
    [
      'SELECT state, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM people GROUP BY state',
      "SELECT 100.0 * COUNT(*) FILTER (WHERE state = 'CA') / COUNT(*) AS share FROM people",
    ],
    [
      'SELECT state, COUNT(*), RANK() OVER (ORDER BY COUNT(*) DESC) FROM people GROUP BY state',
      'SELECT state, COUNT(*) FROM people GROUP BY state ORDER BY 2 DESC',
    ],
    [
      'SELECT state, sex, COUNT(*) FROM people GROUP BY ROLLUP (state, sex)',
      'SELECT state, sex, COUNT(*) FROM people GROUP BY state, sex',
    ],
    [
      'WITH adults AS (SELECT * FROM people WHERE age >= 18) SELECT COUNT(*) FROM adults',
      'SELECT COUNT(*) FROM people WHERE age >= 18',
    ],
    [
      'SELECT AVG(age) FROM (SELECT age FROM people WHERE member) AS members',
      'SELECT AVG(age) FROM people WHERE member',
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
