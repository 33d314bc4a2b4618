/** Edits a draft on one page: who, from, what and when, with preview and estimate beside them. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError, type Violation } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { useResource } from '../../app/use-resource.ts'
import { t } from '../../i18n/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { SendIcon } from '../../ui/controls/icons.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import type { Campaign } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { FromPart, WhoPart } from './audience-parts.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { WhatPart } from './content/what-part.tsx'
import { type Estimate, EstimateView } from './estimate.tsx'
import { type PartId, toPart } from './part.tsx'
import { Preview } from './preview.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { texts } from './texts.ts'
import { useDraft } from './use-draft.ts'
import { isPast, WhenPart } from './when-part.tsx'

const requiredFields = ['segmentId', 'inboxId', 'content'] as const

/** Missing parts are reported as the service reports them, without asking it. */
async function loadEstimate(campaign: Campaign): Promise<Estimate> {
  const violations = requiredFields
    .filter(field => campaign[field] === null)
    .map(field => ({ field, code: 'required', message: '' }))
  if (violations.length > 0) throw new ApiError(400, { violations })
  const params = { path: { campaignId: campaign.id } }
  return call(api.GET('/campaigns/{campaignId}/estimate', { params }))
}

interface EditorProps {
  campaign: Campaign
  onChanged: (campaign: Campaign) => void
  onReload: () => void
}

export function Editor({ campaign, onChanged, onReload }: EditorProps) {
  const navigate = useNavigate()
  const { at } = useSearch({ from: '/campaigns/$campaignId' })
  const draft = useDraft(campaign, onReload)
  const { saved, problem } = draft
  const [refused, setRefused] = useState<{ revision: number; violations: readonly Violation[] }>()
  const [reviewed, setReviewed] = useState<{ campaign: Campaign; estimate: Estimate }>()
  const [isReviewing, setReviewing] = useState(false)
  const estimate = useResource(`${saved.id} ${saved.revision}`, () => loadEstimate(saved))
  // Violations of an earlier version disappear with the change that may have fixed them.
  const isCurrent = refused?.revision === saved.revision
  const ofName = problem?.violations.find(({ field }) => field === 'name')
  const violations = [...(problem?.violations ?? []), ...(isCurrent ? refused.violations : [])]
  const setAt = (next: string | undefined) =>
    void navigate({
      to: '/campaigns/$campaignId',
      params: { campaignId: saved.id },
      search: next === undefined ? {} : { at: next },
      replace: true,
    })
  const refuse = (error: unknown, revision: number) => {
    const { violations, ...failure } = ApiError.from(error)
    setReviewed(undefined)
    if (violations.length === 0) showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
    if (failure.status === 412 || failure.status === 409) onReload()
    setRefused({ revision, violations })
    if (violations[0]) focusPart(toPart(violations[0]))
  }
  const review = async () => {
    setReviewing(true)
    const version = await draft.flush()
    try {
      if (version) {
        const estimate = await loadEstimate(version)
        if (at !== undefined && isPast(at)) focusPart('when')
        else setReviewed({ campaign: version, estimate })
      }
    } catch (error) {
      refuse(error, version!.revision)
    }
    setReviewing(false)
  }
  const actions = (
    <>
      <BackLink to="/campaigns">{t.campaigns}</BackLink>
      <SaveState state={draft.state} />
      {hasScope('campaign:schedule') && (
        <Button look="primary" icon={SendIcon} busy={isReviewing} onClick={() => void review()}>
          {texts().review}
        </Button>
      )}
    </>
  )
  return (
    <Page title={draft.values.name} label={t.campaign} actions={actions}>
      <div className={styles.editor}>
        <div className={styles.form}>
          {problem && problem.violations.length === 0 && problem.status !== 412 && (
            <p className={styles.error} role="alert">
              {describe(problem)}
            </p>
          )}
          <TextField
            label={shared().name}
            value={draft.values.name}
            maxLength={100}
            error={ofName && t.describeReason(ofName)}
            onChange={event => draft.change({ name: event.target.value })}
          />
          <WhoPart draft={draft} violations={violations} />
          <FromPart draft={draft} violations={violations} durationSeconds={estimate.data?.durationSeconds} />
          <WhatPart draft={draft} violations={violations.filter(({ field }) => field !== 'name')} />
          <WhenPart at={at} violations={violations} onChange={setAt} />
        </div>
        <aside className={styles.aside} aria-label={texts().estimate}>
          <h2 className={styles.heading}>{texts().estimate}</h2>
          <EstimateView campaignId={saved.id} estimate={estimate.data} error={estimate.error} />
          <h2 className={styles.heading}>{texts().preview}</h2>
          <Preview campaign={saved} />
        </aside>
      </div>
      <ConflictDialog draft={draft} />
      {reviewed && (
        <ScheduleDialog
          {...reviewed}
          at={at}
          onScheduled={onChanged}
          onFailed={error => refuse(error, reviewed.campaign.revision)}
          onClose={() => setReviewed(undefined)}
        />
      )}
    </Page>
  )
}

function focusPart(part: PartId): void {
  document.querySelector<HTMLElement>(`[data-part="${part}"]`)?.focus()
}

function SaveState({ state }: { state: 'saved' | 'saving' | 'failed' }) {
  const labels = { saved: texts().saved, saving: texts().saving, failed: texts().notSaved }
  return (
    <span className={state === 'failed' ? styles.error : styles.muted} role="status">
      {labels[state]}
    </span>
  )
}
