/** The dialogs of saved views, loaded after the first screen. */
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import type { ManageViewsProps, SaveViewProps } from './view-dialogs.tsx'

const load = () => import('../inbox/later.ts')

export const SaveView = lazyPart<SaveViewProps>(async () => (await load()).SaveView)
export const ManageViews = lazyPart<ManageViewsProps>(async () => (await load()).ManageViews)
