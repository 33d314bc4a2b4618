/** The account of a channel, and the token for it. Ids of the sandbox are offered where it runs. */
import type { ApiError } from '../../../api/errors.ts'
import type { Channel } from '../../../inbox/channels.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { findViolation } from '../../common/tasks.ts'
import styles from '../../settings.module.css'
import { texts } from './texts.ts'

/** The channels of providers; a web chat has no account. */
export type ProviderChannel = Exclude<Channel, 'webchat'>

export interface Account {
  channel: ProviderChannel
  id: string
  token: string
  /** Used with an own token of a chat account only. */
  numberIds: string
}

export const emptyAccount: Account = { channel: 'chatapp', id: '', token: '', numberIds: '' }
const idPattern = '[A-Za-z0-9_.\\-]*[A-Za-z0-9_\\-]'

interface AccountFieldsProps {
  account: Account
  problem: ApiError | undefined
  isSimulated: boolean
  onChange: (account: Account) => void
}

/** A number is connected once in the installation, so each offer is another account. */
function createSandboxAccount(channel: ProviderChannel): Account {
  const digits = [...crypto.getRandomValues(new Uint32Array(4))].map(part => part.toString(16)).join('')
  if (channel === 'sms') return { ...emptyAccount, channel, id: `AC${digits}`, token: 'sandbox' }
  return { ...emptyAccount, channel, id: BigInt(`0x${digits}`).toString().slice(0, 15) }
}

export function AccountFields({ account, problem, isSimulated, onChange }: AccountFieldsProps) {
  const { channel, id, token, numberIds } = account
  const set = (changed: Partial<Account>) => onChange({ ...account, ...changed })
  const isSms = channel === 'sms'
  return (
    <>
      {isSimulated && (
        <div className={styles.choices}>
          <p className={styles.muted}>{texts().sandboxHint}</p>
          <div>
            <Button onClick={() => onChange(createSandboxAccount(channel))}>{texts().useSandbox}</Button>
          </div>
        </div>
      )}
      <TextField
        label={texts().accountId[channel]}
        hint={texts().accountHint[channel]}
        required
        maxLength={128}
        pattern={idPattern}
        autoComplete="off"
        value={id}
        error={findViolation(problem, 'resourceIds')}
        onChange={event => set({ id: event.target.value.trim() })}
      />
      <TextField
        label={isSms ? texts().authToken : texts().ownToken}
        hint={isSms ? texts().authTokenHint : texts().ownTokenHint}
        type="password"
        required={isSms}
        maxLength={2000}
        autoComplete="off"
        value={token}
        error={findViolation(problem, 'authToken')}
        onChange={event => set({ token: event.target.value })}
      />
      {channel === 'chatapp' && token !== '' && (
        <TextField
          label={texts().numberIds}
          hint={texts().numberIdsHint}
          required
          autoComplete="off"
          value={numberIds}
          error={findViolation(problem, 'phoneNumberIds')}
          onChange={event => set({ numberIds: event.target.value })}
        />
      )}
    </>
  )
}
