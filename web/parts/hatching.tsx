/** The pattern for what noise alone could have made; charts refer to it by name. */
export const Hatching = () => (
  <svg width="0" height="0" class="hatching" aria-hidden="true">
    <defs>
      <pattern id="hatching" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="0" y1="0" x2="0" y2="6" stroke="var(--noise)" stroke-width="1.5" stroke-opacity="0.55" />
      </pattern>
    </defs>
  </svg>
)
