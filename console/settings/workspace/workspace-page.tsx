/** Name, time zone, language, business hours and security of the workspace. */
import { useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { loadSession } from '../../api/session.ts'
import { Checkbox, Select, TextField } from '../../ui/controls/field.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { asForm, PictureField } from '../../ui/pictures/picture-field.tsx'
import { Form } from '../common/form.tsx'
import { HoursFields } from '../common/hours-fields.tsx'
import { findViolation, useScopes } from '../common/tasks.ts'
import { Loaded, useLoaded } from '../common/use-loaded.tsx'
import styles from '../settings.module.css'
import { SettingsFrame } from '../settings-frame.tsx'
import { texts as common } from '../texts.ts'
import { texts } from './texts.ts'

type Workspace = Schemas['Workspace']

export function Page() {
  const can = useScopes()
  const state = useLoaded(() => call(api.GET('/workspace')))
  return (
    <SettingsFrame title={common().pages['/settings/workspace']} scope="workspace:read">
      <Loaded state={state}>
        {workspace =>
          can('workspace:update') ? (
            <>
              <Logo workspace={workspace} onChange={state.reload} />
              <WorkspaceForm workspace={workspace} />
            </>
          ) : (
            <Facts workspace={workspace} />
          )
        }
      </Loaded>
    </SettingsFrame>
  )
}

function Logo({ workspace, onChange }: { workspace: Workspace; onChange: () => Promise<void> }) {
  const update = async (change: Promise<unknown>) => {
    await change
    await onChange()
    await loadSession()
  }
  return (
    <PictureField
      label={texts().logo}
      name={workspace.name}
      url={workspace.logoUrl}
      onUpload={form => update(call(api.PUT('/workspace/logo', asForm(form))))}
      onRemove={() => update(call(api.DELETE('/workspace/logo')))}
    />
  )
}

function Facts({ workspace: { name, timezone, locale } }: { workspace: Workspace }) {
  return (
    <>
      <p className={styles.muted}>{texts().readOnly}</p>
      <dl className={styles.facts}>
        <dt>{common().name}</dt>
        <dd>{name}</dd>
        <dt>{texts().timezone}</dt>
        <dd>{timezone}</dd>
        <dt>{texts().locale}</dt>
        <dd>{locale}</dd>
      </dl>
    </>
  )
}

function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const [values, setValues] = useState(workspace)
  const set = (changed: Partial<Workspace>) => setValues(before => ({ ...before, ...changed }))
  const submit = async () => {
    const { name, timezone, locale, businessHours, retention, secondFactorRequired } = values
    const body = { name, timezone, locale, businessHours, retention, secondFactorRequired }
    setValues(await call(api.PATCH('/workspace', { body })))
    showToast({ text: common().saved })
    await loadSession()
  }
  return (
    <Form onSubmit={submit} fields={['name', 'timezone', 'locale', 'businessHours', 'retention.messageDays']}>
      {problem => (
        <>
          <TextField
            label={common().name}
            required
            maxLength={200}
            value={values.name}
            error={findViolation(problem, 'name')}
            onChange={event => set({ name: event.target.value })}
          />
          <Select
            label={texts().timezone}
            hint={texts().timezoneHint}
            value={values.timezone}
            error={findViolation(problem, 'timezone')}
            onChange={event => set({ timezone: event.target.value })}
          >
            {listZones(values.timezone).map(zone => (
              <option key={zone}>{zone}</option>
            ))}
          </Select>
          <TextField
            label={texts().locale}
            hint={texts().localeHint}
            required
            maxLength={60}
            value={values.locale}
            error={findViolation(problem, 'locale')}
            onChange={event => set({ locale: event.target.value })}
          />
          <HoursFields
            value={values.businessHours}
            without={texts().alwaysOpen}
            problem={problem}
            onChange={businessHours => set({ businessHours })}
          />
          <Select
            label={texts().retention}
            hint={texts().retentionHint}
            value={values.retention.messageDays ?? ''}
            error={findViolation(problem, 'retention.messageDays')}
            onChange={event => set({ retention: { messageDays: Number(event.target.value) || null } })}
          >
            <option value="">{texts().forever}</option>
            {listRetentionDays(workspace.retention.messageDays).map(days => (
              <option key={days} value={days}>
                {texts().days(days)}
              </option>
            ))}
          </Select>
          <fieldset className={styles.choices}>
            <legend>{texts().security}</legend>
            <Checkbox
              label={texts().requireFactor}
              checked={values.secondFactorRequired}
              onChange={event => set({ secondFactorRequired: event.target.checked })}
            />
            <p className={styles.muted}>{texts().requireHint}</p>
          </fieldset>
        </>
      )}
    </Form>
  )
}

const usualRetentionDays = [30, 90, 180, 365, 730, 1_095, 1_825, 3_650]

/** The stored number is always offered. */
const listRetentionDays = (stored: number | null) =>
  [...new Set([...usualRetentionDays, ...(stored === null ? [] : [stored])])].sort((a, b) => a - b)

/** Browsers leave out UTC and some aliases: the stored zone is always offered. */
const listZones = (stored: string) =>
  [...new Set([stored, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
