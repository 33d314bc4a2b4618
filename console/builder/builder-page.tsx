/** The screens of one journey and of one chatbot: load the workflow and the catalogue of nodes, then open the builder. */
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, call } from '../api/client.ts'
import { Page } from '../ui/layout/page.tsx'
import { Failure, Loading } from '../ui/layout/state-view.tsx'
import { Builder } from './builder.tsx'
import type { Catalogue, WorkflowKind } from './model/definition.ts'
import { SessionProvider } from './state/session.tsx'
import { fetchWorkflow, type Workflow } from './state/workflow-api.ts'
import { texts } from './texts.ts'

export function JourneyPage() {
  const { journeyId } = useParams({ from: '/journeys/$journeyId' })
  return <Screen key={journeyId} kind="journey" id={journeyId} />
}

export function ChatbotPage() {
  const { chatbotId } = useParams({ from: '/chatbots/$chatbotId' })
  return <Screen key={chatbotId} kind="chatbot" id={chatbotId} />
}

interface Loaded {
  workflow: Workflow
  catalogue: Catalogue
}

async function load(kind: WorkflowKind, id: string): Promise<Loaded> {
  const catalogue = await call(api.GET('/workflow-nodes'))
  return { catalogue, workflow: await fetchWorkflow(kind, id, catalogue) }
}

function Screen({ kind, id }: { kind: WorkflowKind; id: string }) {
  const [loaded, setLoaded] = useState<Loaded>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    let isStopped = false
    setError(undefined)
    load(kind, id).then(
      found => !isStopped && setLoaded(found),
      (cause: unknown) => !isStopped && setError(cause),
    )
    return () => {
      isStopped = true
    }
  }, [kind, id, attempt])
  if (loaded)
    return (
      <SessionProvider kind={kind} workflow={loaded.workflow} catalogue={loaded.catalogue}>
        <Builder />
      </SessionProvider>
    )
  const title = kind === 'journey' ? texts().journeys : texts().chatbots
  return (
    <Page title={title} label={title}>
      {error === undefined ? (
        <Loading rows={6} />
      ) : (
        <Failure error={error} onRetry={() => setAttempt(before => before + 1)} />
      )}
    </Page>
  )
}
