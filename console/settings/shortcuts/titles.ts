/** The names of the actions that have keys, for the settings: most of their screens are not loaded there. */
import type { ActionId, Screen } from '../../actions/default-keys.ts'
import { texts as builderTexts } from '../../builder/texts.ts'
import { texts as contactTexts } from '../../contacts/texts.ts'
import { t } from '../../i18n/i18n.ts'
import { getViewLabel } from '../../inbox/state/views.ts'
import { texts } from './texts.ts'

export function listScreenTitles(): Record<Screen, string> {
  return {
    general: t.general,
    lists: texts().lists,
    inbox: t.inbox,
    conversation: t.conversation,
    contacts: t.contacts,
    builder: builderTexts().builder,
  }
}

function listGeneral() {
  return {
    palette: t.palette,
    keys: t.shortcuts,
    undo: t.undo,
    notifications: t.showNotifications,
    'go-inbox': t.goTo(t.inbox),
    'go-contacts': t.goTo(t.contacts),
    'go-segments': t.goTo(t.segments),
    'go-campaigns': t.goTo(t.campaigns),
    'go-journeys': t.goTo(t.journeys),
    'go-chatbots': t.goTo(t.chatbots),
    'go-reports': t.goTo(t.reports),
    'go-settings': t.goTo(t.settings),
    'go-search': t.searchMessages,
  }
}

function listLists() {
  const { next, previous, second, ...words } = texts()
  return {
    next,
    'next-arrow': second(next),
    previous,
    'previous-arrow': second(previous),
    search: words.search,
    filter: t.filterBy,
    new: words.create,
    select: words.select,
    'extend-down': t.extendDown,
    'extend-up': t.extendUp,
    'select-all': words.selectAll,
    'select-matching': words.selectMatching,
    'clear-selection': t.clearSelection,
  }
}

function listInbox() {
  return {
    list: t.toggleList,
    'view-mine': t.showView(getViewLabel('mine')),
    'view-unassigned': t.showView(getViewLabel('unassigned')),
    'view-mentions': t.showView(getViewLabel('mentions')),
    'view-team': t.showView(getViewLabel('team')),
    'view-all': t.showView(getViewLabel('all')),
    'view-snoozed': t.showView(getViewLabel('snoozed')),
    'view-closed': t.showView(getViewLabel('closed')),
    reply: t.reply,
    note: t.addNote,
    close: texts().close,
    'close-next': t.closeAndNext,
    'assign-me': t.assignToMe,
    assign: t.assign,
    'assign-team': t.assignTeam,
    labels: t.labels,
    priority: t.priority,
    snooze: t.snooze,
    macro: t.runMacro,
    unread: t.markUnread,
    details: t.details,
    sandbox: t.playTheCustomer,
    'send-later': t.sendLater,
    scheduled: texts().scheduled,
    retry: t.retryFailed,
    'edit-name': contactTexts().editName,
    'bulk-addTag': contactTexts().bulk.addTag,
  }
}

function listBuilder() {
  const words = builderTexts()
  const { second, along, left, right, up, down } = texts()
  return {
    'builder-undo': words.undo,
    'builder-redo': words.redo,
    'builder-duplicate': words.duplicate,
    'builder-delete': words.deleteSelection,
    'builder-delete-back': second(words.deleteSelection),
    'builder-select-all': words.selectAll,
    'builder-deselect': words.deselect,
    'builder-simulate': words.simulate,
    'builder-simulate-from': words.simulateFrom,
    'builder-next-area': words.nextArea,
    'builder-previous-area': words.previousArea,
    'builder-find': words.find,
    'builder-fit': words.fit,
    'builder-fit-selection': words.zoomToSelection,
    'builder-zoom-in': words.zoomIn,
    'builder-zoom-out': words.zoomOut,
    'builder-follow-left': along(words.moveSelection, left),
    'builder-follow-right': along(words.moveSelection, right),
    'builder-follow-up': along(words.moveSelection, up),
    'builder-follow-down': along(words.moveSelection, down),
    'builder-move-left': along(words.moveNode, left),
    'builder-move-right': along(words.moveNode, right),
    'builder-move-up': along(words.moveNode, up),
    'builder-move-down': along(words.moveNode, down),
  }
}

export const listTitles = (): Record<ActionId, string> => ({
  ...listGeneral(),
  ...listLists(),
  ...listInbox(),
  ...listBuilder(),
})
