/** A time as people say it: today's by the clock, others by the day. */
export function whenText(iso: string, now = new Date()): string {
  const at = new Date(iso)
  const clock = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (at.toDateString() === now.toDateString()) return `today ${clock}`
  const day = at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(at.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
  })
  return `${day}, ${clock}`
}
