/** Functions over the records of a group. */
export const aggregateNames = [
  'count',
  'sum',
  'avg',
  'variance',
  'var_samp',
  'var_pop',
  'stddev',
  'stddev_samp',
  'stddev_pop',
  'covar_pop',
  'covar_samp',
  'corr',
  'regr_slope',
  'regr_intercept',
  'regr_r2',
] as const

/** Whether a text is the ISO form of a date that exists. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isFinite(time) && new Date(time).toISOString().slice(0, 10) === text
}
