/** What the inbox shows on demand, in one file that is loaded after the first screen. */
export { NotificationList } from '../notifications/notification-list.tsx'
export { ConversationPicker } from './actions/conversation-pickers.tsx'
export { BulkBar } from './bulk/bulk-bar.tsx'
export { TemplatePicker } from './composer/template-picker.tsx'
export { Details } from './details/details.tsx'
export { ManageViews, SaveView } from './list/view-dialogs.tsx'
export { MessageTimeline } from './thread/message-timeline.tsx'
