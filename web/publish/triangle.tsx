import { useSession } from '../app/session.ts'
import { percentText, roughCount } from '../parts/number.ts'
import { keyOf, type Marginal, marginalName } from './pairs.ts'

/** How well a table would come out, or did. */
export interface Shade {
  /** Expected relative error, or variation. */
  readonly error: number
  /** No better than a table of zeros. */
  readonly hopeless: boolean
}
/** With more attributes cells are smaller, so that the last ones are seen. */
const roomy = 11

interface TriangleProps {
  readonly label: string
  readonly shades: ReadonlyMap<string, Shade>
  /** Chosen tables; undefined where there is nothing to choose. */
  readonly chosen?: ReadonlySet<string>
  readonly toggle?: (marginal: Marginal) => void
}

/** Attributes against attributes: the diagonal is the tables of one. The darker, the better a table comes out. */
export function Triangle({ label, shades, chosen, toggle }: TriangleProps) {
  const { attributes } = useSession().description
  const names = attributes.map((a) => a.name)
  return (
    <table class={`triangle ${attributes.length > roomy ? 'many' : ''}`} aria-label={label}>
      <tbody>
        {attributes.map((row, i) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            {attributes.slice(0, i + 1).map((column) => {
              const marginal = column.name === row.name ? [row.name] : [column.name, row.name]
              const cells = column.name === row.name ? row.cells : row.cells * column.cells
              return (
                <Cell
                  key={column.name}
                  marginal={marginal}
                  cells={cells}
                  shade={shades.get(keyOf(marginal))}
                  isChosen={chosen?.has(keyOf(marginal))}
                  toggle={toggle}
                />
              )
            })}
          </tr>
        ))}
        <tr>
          <td />
          {names.map((name) => (
            <td key={name} class="triangle-foot">
              <span>{name}</span>
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}

interface CellProps {
  readonly marginal: Marginal
  readonly cells: number
  readonly shade: Shade | undefined
  readonly isChosen: boolean | undefined
  readonly toggle: ((marginal: Marginal) => void) | undefined
}

/** Short enough for a small cell: percentages of three digits are told as multiples, 1.6× for 160%. */
function shortPercent(error: number): string {
  if (error < 0.5) return percentText(error)
  if (error < 0.995) return `${Math.round(100 * error)}%`
  return error < 9.95 ? `${error.toFixed(1)}×` : error < 99.5 ? `${Math.round(error)}×` : '>99×'
}

function Cell({ marginal, cells, shade, isChosen, toggle }: CellProps) {
  const error = shade && `, expected error ${percentText(shade.error)}`
  const words = `${marginalName(marginal)}: ${roughCount(cells)} cells${error ?? ''}${shade?.hopeless ? ', no better than zeros' : ''}`
  const text = shade ? shortPercent(shade.error) : toggle ? roughCount(cells) : ''
  const tone = shade ? (shade.hopeless ? 'hopeless' : `shade-${shadeOf(shade.error)}`) : ''
  return (
    <td class="triangle-cell">
      {!toggle && !shade ? null : toggle ? (
        <button
          type="button"
          class={tone}
          aria-pressed={isChosen}
          aria-label={words}
          title={words}
          onClick={() => toggle(marginal)}
        >
          {text}
        </button>
      ) : (
        <span class={tone} title={words}>
          {text}
          <span class="hidden-visually">{words}</span>
        </span>
      )}
    </td>
  )
}

/** Five shades: below 1%, 3%, 10%, 30% and above. */
const shadeOf = (error: number): number => [0.01, 0.03, 0.1, 0.3].filter((bound) => error > bound).length
