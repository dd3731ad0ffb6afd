import { useSession } from '../app/session.ts'
import { type Attribute, listed } from '../sql/attribute.ts'
import {
  type Comparison,
  type Condition,
  comparisonsOf,
  conditionOn,
  type Measure,
  measures,
  type Sentence,
} from '../sql/sentence.ts'

interface BuilderProps {
  readonly sentence: Sentence
  readonly change: (sentence: Sentence) => void
}

/** A question as a sentence to be filled in. It writes SQL, and SQL that it can say is read back. */
export function Builder({ sentence, change }: BuilderProps) {
  const { attributes } = useSession().description
  const numbers = attributes.filter((a) => a.isNumber)
  const { measure, of, where, by } = sentence
  const setMeasure = (next: Measure) => {
    const { of: _, ...rest } = sentence
    change(next === 'count' ? { ...rest, measure: next } : { ...rest, measure: next, of: of ?? numbers[0]?.name ?? '' })
  }
  const setCondition = (at: number, next: Condition | undefined) =>
    change({ ...sentence, where: where.flatMap((c, i) => (i === at ? (next ?? []) : c)) })
  const free = attributes.filter((a) => !by.includes(a.name))
  return (
    <div class="builder">
      <div class="builder-line">
        <Choice
          label="What is asked"
          value={measure}
          options={Object.keys(measures).filter((m) => m === 'count' || numbers.length > 0)}
          text={(m) => measures[m as Measure].words}
          change={(m) => setMeasure(m as Measure)}
        />
        {measure !== 'count' && (
          <Choice
            label="Of which attribute"
            value={of ?? ''}
            options={numbers.map((a) => a.name)}
            change={(name) => change({ ...sentence, of: name })}
          />
        )}
      </div>
      {where.map((condition, i) => (
        <ConditionLine key={i} first={i === 0} condition={condition} change={(next) => setCondition(i, next)} />
      ))}
      <div class="builder-line">
        <Adder
          label={where.length === 0 ? '+ where …' : '+ and …'}
          names={attributes.map((a) => a.name)}
          add={(name) =>
            change({ ...sentence, where: [...where, conditionOn(attributes.find((a) => a.name === name)!)] })
          }
        />
        {by.map((name) => (
          <span key={name} class="builder-key">
            by <strong>{name}</strong>
            <button
              type="button"
              class="button small quiet"
              aria-label={`Not by ${name}`}
              onClick={() => change({ ...sentence, by: by.filter((b) => b !== name) })}
            >
              ×
            </button>
          </span>
        ))}
        {by.length < 2 && (
          <Adder
            label={by.length === 0 ? '+ for each …' : '+ and each …'}
            names={free.map((a) => a.name)}
            add={(name) => change({ ...sentence, by: [...by, name] })}
          />
        )}
      </div>
    </div>
  )
}

interface ConditionLineProps {
  readonly first: boolean
  readonly condition: Condition
  readonly change: (condition: Condition | undefined) => void
}
function ConditionLine({ first, condition, change }: ConditionLineProps) {
  const { attributes } = useSession().description
  const about = attributes.find((a) => a.name === condition.attribute)!
  return (
    <div class="builder-line">
      <span class="soft">{first ? 'where' : 'and'}</span>
      <Choice
        label="Attribute"
        value={about.name}
        options={attributes.map((a) => a.name)}
        change={(name) => change(conditionOn(attributes.find((a) => a.name === name)!))}
      />
      <Choice
        label="Comparison"
        value={condition.comparison}
        options={comparisonsOf(about)}
        change={(comparison) => change({ ...condition, comparison: comparison as Comparison })}
      />
      <ValueField about={about} value={condition.value} change={(value) => change({ ...condition, value })} />
      <button
        type="button"
        class="button small quiet"
        aria-label="Leave this condition out"
        onClick={() => change(undefined)}
      >
        ×
      </button>
    </div>
  )
}

function ValueField({
  about,
  value,
  change,
}: {
  readonly about: Attribute
  readonly value: string
  readonly change: (value: string) => void
}) {
  const onInput = (event: Event) => change((event.currentTarget as HTMLInputElement).value)
  if (about.kind === 'boolean')
    return <Choice label="Value" value={value} options={['true', 'false']} change={change} />
  if (about.kind === 'date')
    return (
      <input
        class="field"
        type="date"
        aria-label="Value"
        min={about.low}
        max={about.high}
        value={value}
        onInput={onInput}
      />
    )
  if (about.kind !== 'values')
    return (
      <input
        class="field number"
        type="number"
        aria-label="Value"
        min={about.low}
        max={about.high}
        step={about.step ?? 'any'}
        value={value}
        onInput={onInput}
      />
    )
  if (about.more === 0) return <Choice label="Value" value={value} options={listed(about)} change={change} />
  return <input class="field" aria-label="Value" value={value} onInput={onInput} />
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly text?: (option: string) => string
  readonly change: (value: string) => void
}
const Choice = ({ label, value, options, text = (option) => option, change }: ChoiceProps) => (
  <select class="field" aria-label={label} value={value} onChange={(event) => change(event.currentTarget.value)}>
    {options.includes(value) ? undefined : <option value={value}>{value}</option>}
    {options.map((option) => (
      <option key={option} value={option}>
        {text(option)}
      </option>
    ))}
  </select>
)

/** A menu that adds what is chosen and shows its label again. */
const Adder = ({
  label,
  names,
  add,
}: {
  readonly label: string
  readonly names: readonly string[]
  readonly add: (name: string) => void
}) => (
  <select
    class="field adder"
    aria-label={label}
    value=""
    onChange={(event) => {
      const { value } = event.currentTarget
      event.currentTarget.value = ''
      if (value !== '') add(value)
    }}
  >
    <option value="">{label}</option>
    {names.map((name) => (
      <option key={name} value={name}>
        {name}
      </option>
    ))}
  </select>
)
