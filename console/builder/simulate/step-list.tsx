/** The steps of the run by turn, with the effects of each step and the variables that changed in the turn. */
import { Button } from '../../ui/controls/button.tsx'
import { type Definition, findNode } from '../model/definition.ts'
import { nameOutcome } from '../runs/texts.ts'
import { nameNode } from '../texts.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'
import { describeEffect, joinEffects, listChanged, toText } from './transcript.ts'
import type { Turn } from './use-simulation.ts'

interface StepListProps {
  turns: readonly Turn[]
  definition: Definition
  select: (nodeId: string) => void
}

export function StepList({ turns, definition, select }: StepListProps) {
  const last = turns.at(-1)!.simulation
  const steps = joinEffects(last.path, last.effects)
  const getStart = (turn: number) => (turn === 0 ? 0 : turns[turn - 1]!.simulation.path.length)
  return (
    <section className={styles.stack} aria-label={texts().steps}>
      <h3>{texts().steps}</h3>
      <ol className={styles.steps}>
        {turns.flatMap(({ simulation }, turn) => [
          ...steps.slice(getStart(turn), simulation.path.length).map(({ step, effects }) => (
            <li key={step.n}>
              <Button look="plain" className={styles.step} onClick={() => select(step.nodeId)}>
                <span>{nameNode(step.type)}</span>
                <span className={styles.muted}>{nameOutcome(step, findNode(definition, step.nodeId))}</span>
              </Button>
              {effects.map((effect, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a node can have the same effect twice
                <p key={i} className={styles.effect}>
                  {describeEffect(effect, definition)}
                </p>
              ))}
            </li>
          )),
          <VariableChanges
            key={`variables ${simulation.endedAt} ${simulation.path.length}`}
            changes={listChanged(turns[turn - 1]?.simulation.variables ?? {}, simulation.variables)}
          />,
        ])}
      </ol>
    </section>
  )
}

function VariableChanges({ changes }: { changes: readonly [string, unknown][] }) {
  if (changes.length === 0) return null
  return (
    <li>
      <dl className={styles.variables} aria-label={texts().variables}>
        {changes.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{toText(value)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
