/** A card: heading, text, footer and up to three buttons that reply or open a link. */
import { IconButton } from '../../../ui/controls/button.tsx'
import { Select, TextField } from '../../../ui/controls/field.tsx'
import { CloseIcon, PlusIcon } from '../../../ui/controls/icons.tsx'
import { LeavingButton } from '../../../ui/focus/leaving-button.tsx'
import { useKeptFocus } from '../../../ui/focus/use-kept-focus.ts'
import styles from '../../campaigns.module.css'
import { texts } from '../texts.ts'
import { type CardButton, type ContentDraft, newButton } from './content-draft.ts'
import { PlaceholderField } from './placeholder-field.tsx'

type Card = ContentDraft['card']
const maxButtons = 3

export const cardTexts = ['header', 'body', 'footer'] as const

interface CardFieldsProps {
  card: Card
  errors?: Partial<Record<(typeof cardTexts)[number], string | undefined>>
  onChange: (card: Card) => void
}

export function CardFields({ card, errors = {}, onChange }: CardFieldsProps) {
  const set = (changed: Partial<Card>) => onChange({ ...card, ...changed })
  const setButton = (key: string, changed: Partial<CardButton>) =>
    set({ buttons: card.buttons.map(button => (button.key === key ? { ...button, ...changed } : button)) })
  return (
    <>
      <PlaceholderField
        label={texts().header}
        maxLength={60}
        value={card.header}
        error={errors.header}
        onChange={header => set({ header })}
      />
      <PlaceholderField
        label={texts().text}
        rows={4}
        maxLength={1_024}
        value={card.body}
        error={errors.body}
        hint={texts().placeholderHint}
        onChange={body => set({ body })}
      />
      <PlaceholderField
        label={texts().footer}
        maxLength={60}
        value={card.footer}
        error={errors.footer}
        onChange={footer => set({ footer })}
      />
      {card.buttons.map((button, position) => (
        <ButtonFields
          key={button.key}
          button={button}
          number={position + 1}
          onChange={changed => setButton(button.key, changed)}
          onRemove={() => set({ buttons: card.buttons.filter(({ key }) => key !== button.key) })}
        />
      ))}
      {card.buttons.length < maxButtons && (
        <LeavingButton icon={PlusIcon} onClick={() => set({ buttons: [...card.buttons, newButton()] })}>
          {texts().addButton}
        </LeavingButton>
      )}
    </>
  )
}

interface ButtonFieldsProps {
  button: CardButton
  number: number
  onChange: (changed: Partial<CardButton>) => void
  onRemove: () => void
}

function ButtonFields({ button, number, onChange, onRemove }: ButtonFieldsProps) {
  return (
    <div ref={useKeptFocus<HTMLDivElement>()} className={styles.pair}>
      <Select
        label={texts().buttonKind(number)}
        value={button.type}
        onChange={event => onChange({ type: event.target.value as CardButton['type'] })}
      >
        <option value="reply">{texts().buttonKinds.reply}</option>
        <option value="url">{texts().buttonKinds.url}</option>
      </Select>
      <TextField
        label={texts().buttonTitle(number)}
        maxLength={20}
        value={button.title}
        onChange={event => onChange({ title: event.target.value })}
        trailing={<IconButton icon={CloseIcon} label={texts().removeButton(number)} onClick={onRemove} />}
      />
      {button.type === 'url' && (
        <TextField
          label={texts().buttonUrl(number)}
          type="url"
          placeholder="https://"
          maxLength={2_000}
          value={button.url}
          onChange={event => onChange({ url: event.target.value })}
        />
      )}
    </div>
  )
}
