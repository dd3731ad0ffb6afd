/** A circle that shows half of what it holds. */
export const Logo = () => (
  <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="12" fill="none" stroke="currentColor" stroke-width="4" />
    <path d="M16 4a12 12 0 0 1 0 24z" fill="currentColor" />
  </svg>
)
