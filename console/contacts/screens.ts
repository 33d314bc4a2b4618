/** The screens of contacts and segments in one file: they share the condition editor. */
export { SegmentPage } from '../segments/segment-page.tsx'
export { SegmentsPage } from '../segments/segments-page.tsx'
export { ContactsPage } from './contacts-page.tsx'
