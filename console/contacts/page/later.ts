/** The parts and dialogs of a contact that are loaded after the timeline. */
export { Campaigns } from './campaigns.tsx'
export { EraseContact } from './erase-contact.tsx'
export { Files } from './files.tsx'
export { Journeys } from './journeys.tsx'
export { MergeContact } from './merge-contact.tsx'
export { Notes } from './notes.tsx'
