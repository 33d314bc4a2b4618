/** How a web chat looks, where it is shown, and what visitors say before they write. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../../api/client.ts'
import { Checkbox, Select, TextField } from '../../../ui/controls/field.tsx'
import { showToast } from '../../../ui/overlays/toasts.ts'
import { Form } from '../../common/form.tsx'
import { findViolation } from '../../common/tasks.ts'
import { Section } from '../../section.tsx'
import styles from '../../settings.module.css'
import { texts as common } from '../../texts.ts'
import { OriginsField, splitOrigins } from './origins-field.tsx'
import { texts } from './texts.ts'

type Webchat = Schemas['WebchatInbox']
type PreChatKey = NonNullable<Webchat['preChat']>['fields'][number]['key']
type Asked = 'no' | 'optional' | 'required'

const keys: readonly PreChatKey[] = ['name', 'email', 'phone']
const asked: readonly Asked[] = ['no', 'optional', 'required']

interface Values {
  origins: string
  title: string
  subtitle: string
  launcherText: string
  accent: string
  position: Webchat['appearance']['position']
  theme: Webchat['appearance']['theme']
  preChat: Record<PreChatKey, Asked>
  isIdentityRequired: boolean
}

function toAsked({ preChat }: Webchat, key: PreChatKey): Asked {
  const field = preChat?.fields.find(item => item.key === key)
  if (!field) return 'no'
  return field.isRequired ? 'required' : 'optional'
}

function pick(webchat: Webchat): Values {
  const { title, subtitle, launcherText, accent, position, theme } = webchat.appearance
  return {
    origins: webchat.allowedOrigins.join('\n'),
    title,
    subtitle: subtitle ?? '',
    launcherText: launcherText ?? '',
    accent,
    position,
    theme,
    preChat: {
      name: toAsked(webchat, 'name'),
      email: toAsked(webchat, 'email'),
      phone: toAsked(webchat, 'phone'),
    },
    isIdentityRequired: webchat.identity.isRequired,
  }
}

/** Own labels of fields, which are set over the API, are kept. */
function toPatch(values: Values, before: Webchat) {
  const { origins, title, subtitle, launcherText, accent, position, theme, preChat } = values
  const fields = keys
    .filter(key => preChat[key] !== 'no')
    .map(key => ({
      key,
      label: before.preChat?.fields.find(field => field.key === key)?.label ?? null,
      isRequired: preChat[key] === 'required',
    }))
  return {
    allowedOrigins: splitOrigins(origins),
    appearance: {
      title: title.trim(),
      subtitle: subtitle.trim() || null,
      launcherText: launcherText.trim() || null,
      accent,
      position,
      theme,
    },
    preChat: fields.length === 0 ? null : { fields },
    identity: { isRequired: values.isIdentityRequired },
  }
}

interface WebchatSettingsProps {
  inboxId: string
  webchat: Webchat
  onSaved: () => Promise<void>
}

export function WebchatSettings({ inboxId, webchat, onSaved }: WebchatSettingsProps) {
  const [values, setValues] = useState(() => pick(webchat))
  const set = (changed: Partial<Values>) => setValues(before => ({ ...before, ...changed }))
  const submit = async () => {
    const body = { webchat: toPatch(values, webchat) }
    await call(api.PATCH('/inboxes/{id}', { params: { path: { id: inboxId } }, body }))
    await onSaved()
    showToast({ text: common().saved })
  }
  const text = (name: 'title' | 'subtitle' | 'launcherText') => ({
    label: texts()[name],
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  return (
    <Section title={texts().settings}>
      <Form onSubmit={submit} fields={['webchat.allowedOrigins']}>
        {problem => (
          <>
            <OriginsField
              value={values.origins}
              error={findViolation(problem, 'webchat.allowedOrigins')}
              onChange={origins => set({ origins })}
            />
            <TextField {...text('title')} required maxLength={60} />
            <TextField {...text('subtitle')} maxLength={120} />
            <TextField {...text('launcherText')} hint={texts().launcherHint} maxLength={40} />
            <TextField
              label={texts().accent}
              type="color"
              value={values.accent}
              onChange={event => set({ accent: event.target.value })}
            />
            <Choice
              label={texts().position}
              names={texts().positions}
              value={values.position}
              onChange={position => set({ position })}
            />
            <Choice
              label={texts().theme}
              names={texts().themes}
              value={values.theme}
              onChange={theme => set({ theme })}
            />
            <fieldset className={styles.choices}>
              <legend>{texts().preChat}</legend>
              <p className={styles.muted}>{texts().preChatHint}</p>
              <div className={styles.section}>
                {keys.map(key => (
                  <Select
                    key={key}
                    label={texts().fields[key]}
                    value={values.preChat[key]}
                    onChange={event =>
                      set({ preChat: { ...values.preChat, [key]: event.target.value as Asked } })
                    }
                  >
                    {asked.map(item => (
                      <option key={item} value={item}>
                        {texts().asked[item]}
                      </option>
                    ))}
                  </Select>
                ))}
              </div>
            </fieldset>
            <Checkbox
              label={texts().identityRequired}
              checked={values.isIdentityRequired}
              onChange={event => set({ isIdentityRequired: event.target.checked })}
            />
          </>
        )}
      </Form>
    </Section>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  names: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}

function Choice<T extends string>({ label, names, value, onChange }: ChoiceProps<T>) {
  return (
    <Select label={label} value={value} onChange={event => onChange(event.target.value as T)}>
      {(Object.keys(names) as T[]).map(id => (
        <option key={id} value={id}>
          {names[id]}
        </option>
      ))}
    </Select>
  )
}
