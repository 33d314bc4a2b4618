/** Forms for a run that waits: the customer writes, time passes, or an event arrives. */
import { type FormEvent, useState } from 'react'
import { formatDuration } from '../../i18n/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea, TextField } from '../../ui/controls/field.tsx'
import { BoltIcon, ClockIcon, SendIcon } from '../../ui/controls/icons.tsx'
import type { Simulation } from './cases.ts'
import { buildSkip, parseObject } from './session.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'
import type { Player } from './use-simulation.ts'

const hour = 3_600_000
const spans = [hour, 24 * hour]

export function AnswerForm({ player, simulation }: { player: Player; simulation: Simulation }) {
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || player.isBusy) return
    player.add({ message: text.trim() })
    setText('')
  }
  const skip = (ms?: number) => {
    const input = buildSkip(player.session, simulation, ms)
    if (input) player.add(input)
  }
  const until = simulation.waitingFor?.until
  const left = until && Date.parse(until) - Date.parse(simulation.endedAt)
  return (
    <div className={styles.stack}>
      <form className={styles.answer} onSubmit={send}>
        <TextField
          label={texts().answer}
          value={text}
          maxLength={4096}
          autoComplete="off"
          onChange={event => setText(event.target.value)}
        />
        <Button type="submit" icon={SendIcon} busy={player.isBusy} disabled={text.trim() === ''}>
          {texts().send}
        </Button>
      </form>
      <div className={styles.row} role="group" aria-label={texts().timePasses}>
        {left !== undefined && left !== '' && (
          <Button icon={ClockIcon} look="primary" disabled={player.isBusy} onClick={() => skip()}>
            {texts().skip(formatDuration(left))}
          </Button>
        )}
        {spans.map(ms => (
          <Button key={ms} icon={ClockIcon} disabled={player.isBusy} onClick={() => skip(ms)}>
            {texts().pass(ms / hour)}
          </Button>
        ))}
      </div>
      <EventForm player={player} />
    </div>
  )
}

function EventForm({ player }: { player: Player }) {
  const [name, setName] = useState('')
  const [data, setData] = useState('')
  const parsed = parseObject(data)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || parsed === null) return
    player.add({ event: { name: name.trim(), ...(parsed ? { data: parsed } : {}) } })
    setName('')
  }
  return (
    <details className={styles.details}>
      <summary>{texts().eventArrives}</summary>
      <form className={styles.stack} onSubmit={send}>
        <TextField
          label={texts().eventName}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={event => setName(event.target.value)}
        />
        <TextArea
          label={texts().eventData}
          value={data}
          rows={2}
          error={parsed === null ? texts().notAnObject : undefined}
          onChange={event => setData(event.target.value)}
        />
        <div>
          <Button
            type="submit"
            icon={BoltIcon}
            disabled={name.trim() === '' || parsed === null || player.isBusy}
          >
            {texts().sendEvent}
          </Button>
        </div>
      </form>
    </details>
  )
}
