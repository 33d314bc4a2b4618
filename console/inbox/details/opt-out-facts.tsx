/** Says who opted the contact out of a channel, and when. */
import { api, call, type Schemas } from '../../api/client.ts'
import { useResource } from '../../app/use-resource.ts'
import { formatFull, formatWhen } from '../../i18n/format.ts'
import { screenTexts, t } from '../../i18n/i18n.ts'
import { getAuthorName } from '../thread/sender.ts'
import styles from './details.module.css'
import type { Contact } from './use-contact.ts'

type OptOut = Schemas['OptOut']

const english = { by: (name: string) => `by ${name}`, customer: 'the customer' }
const texts = screenTexts<typeof english>(english, { by: name => `durch ${name}`, customer: 'den Kunden' })

/** Read again when the opt-outs change. */
export function useOptOutFacts({ id, optOuts, updatedAt }: Contact): readonly OptOut[] {
  const { data } = useResource(`${id} ${optOuts} ${optOuts.length > 0 ? updatedAt : ''}`, async () => {
    if (optOuts.length === 0) return { optOuts: [] }
    return call(api.GET('/contacts/{id}/opt-outs', { params: { path: { id } } }))
  })
  return data?.optOuts ?? []
}

function getActorName({ setBy }: OptOut): string {
  if (!setBy) return texts().customer
  return setBy.type === 'user' || setBy.type === 'service'
    ? getAuthorName(setBy.type, setBy.id)
    : t[setBy.type]
}

export function OptOutFact({ fact }: { fact: OptOut }) {
  return (
    <span className={styles.muted}>
      {texts().by(getActorName(fact))} ·{' '}
      <time dateTime={fact.at} title={formatFull(fact.at)}>
        {formatWhen(fact.at)}
      </time>
    </span>
  )
}
