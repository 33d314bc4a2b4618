import { texts as common } from '../texts.ts'
import { ItemList } from './item-list.tsx'

export const Page = () => <ItemList kind="field" title={common().pages['/settings/fields']} />
