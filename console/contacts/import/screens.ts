/** The screens of imports in one file: the page of an import must open when the service has failed after its start. */
export { ImportPage } from './import-page.tsx'
export { ImportsPage } from './imports-page.tsx'
