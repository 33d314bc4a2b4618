import type { CampaignExists } from '../definition/references.ts'
import {
  createJourney,
  journeyToApi,
  journeyVersionToApi,
  mergeJourneyDraft,
  updateJourney,
} from '../journeys/journeys.ts'
import { Journey, JourneyDraft, JourneyPatch, JourneyVersion, ListedJourney, NewJourney } from '../schemas.ts'
import { activateWorkflow, deleteWorkflow, pauseWorkflow } from '../workflows.ts'
import { workflowRoutes } from './workflow-routes.ts'

export const journeyRoutes = (campaignExists: CampaignExists) =>
  workflowRoutes({
    campaignExists,
    kind: 'journey',
    noun: 'Journey',
    schemas: {
      workflow: Journey,
      listed: ListedJourney,
      version: JourneyVersion,
      create: NewJourney,
      update: JourneyPatch,
      draft: JourneyDraft,
    },
    versionPath: '/journeys/versions/{versionId}',
    toApi: journeyToApi,
    versionToApi: journeyVersionToApi,
    create: createJourney,
    update: updateJourney,
    mergeDraft: mergeJourneyDraft,
    remove: (tx, caller, key) => deleteWorkflow(tx, caller, 'journey', key),
    activate: (deps, tx, caller, id) => activateWorkflow(deps, tx, caller, 'journey', id),
    pause: (tx, caller, id) => pauseWorkflow(tx, caller, 'journey', id),
    texts: {
      create: 'triggerConfig and entryMode are stored in the start node, which is created if there is none.',
      activate: 'Start runs of the published version when its trigger fires',
      pause: 'Start no new runs; runs in progress continue',
      example: {
        name: 'Welcome',
        definition: {
          nodes: [
            {
              id: 'start',
              type: 'start',
              data: { triggerConfig: { type: 'contact_created' }, entryMode: 'once' },
            },
          ],
          edges: [],
        },
      },
    },
    scopeErrors: [],
  })
