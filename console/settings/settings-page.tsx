/** The user's own preferences: appearance, language, sending and keys. */
import { preferences } from '../app/preferences.ts'
import { useStore } from '../app/store.ts'
import { type Language, language, languages, setLanguage } from '../i18n/i18n.ts'
import { Select } from '../ui/controls/field.tsx'
import { type Appearance, appearance } from '../ui/styles/appearance.ts'
import { NotificationSettings } from './notification-settings.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { SettingsFrame } from './settings-frame.tsx'
import { ShortcutSettings } from './shortcuts/shortcut-settings.tsx'
import { texts } from './texts.ts'

export function Page() {
  return (
    <SettingsFrame title={texts().preferences}>
      <AppearanceSettings />
      <SendingSettings />
      <NotificationSettings />
      <ShortcutSettings />
    </SettingsFrame>
  )
}

function AppearanceSettings() {
  const value = useStore(appearance)
  const current = useStore(language)
  const set = (values: Partial<Appearance>) => appearance.update(before => ({ ...before, ...values }))
  return (
    <Section title={texts().appearance}>
      <div className={styles.filter}>
        <Select
          label={texts().theme}
          value={value.theme}
          onChange={event => set({ theme: event.target.value as Appearance['theme'] })}
        >
          <option value="system">{texts().likeSystem}</option>
          <option value="light">{texts().themeLight}</option>
          <option value="dark">{texts().themeDark}</option>
        </Select>
        <Select
          label={texts().contrast}
          value={value.contrast}
          onChange={event => set({ contrast: event.target.value as Appearance['contrast'] })}
        >
          <option value="system">{texts().likeSystem}</option>
          <option value="more">{texts().contrastMore}</option>
        </Select>
        <Select
          label={texts().density}
          value={value.density}
          onChange={event => set({ density: event.target.value as Appearance['density'] })}
        >
          <option value="comfortable">{texts().comfortable}</option>
          <option value="compact">{texts().compact}</option>
        </Select>
        <Select
          label={texts().motion}
          value={value.motion}
          onChange={event => set({ motion: event.target.value as Appearance['motion'] })}
        >
          <option value="system">{texts().likeSystem}</option>
          <option value="reduce">{texts().motionReduce}</option>
        </Select>
        <Select
          label={texts().language}
          value={current}
          onChange={event => void setLanguage(event.target.value as Language)}
        >
          {Object.entries(languages).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
    </Section>
  )
}

function SendingSettings() {
  const { sendWith, undoSendSeconds } = useStore(preferences)
  return (
    <Section title={texts().sendingSettings}>
      <div className={styles.grid}>
        <Select
          label={texts().sendWith}
          value={sendWith}
          onChange={event =>
            preferences.update(before => ({ ...before, sendWith: event.target.value as typeof sendWith }))
          }
        >
          <option value="enter">Enter</option>
          <option value="mod+enter">⌘/Ctrl Enter</option>
        </Select>
        <Select
          label={texts().undoSend}
          value={undoSendSeconds}
          onChange={event =>
            preferences.update(before => ({ ...before, undoSendSeconds: Number(event.target.value) }))
          }
        >
          {[0, 5, 10].map(seconds => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? texts().off : texts().seconds(seconds)}
            </option>
          ))}
        </Select>
      </div>
    </Section>
  )
}
