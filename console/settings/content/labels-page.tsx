import { t } from '../../i18n/i18n.ts'
import { ItemList } from './item-list.tsx'

export const Page = () => <ItemList kind="label" title={t.labels} />
