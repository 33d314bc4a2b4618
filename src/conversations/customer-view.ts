/**
 * Conversations as their customers see them, for channels on which the customer reads from this service. The caller has
 * found the conversation by an address of the customer.
 */
export {
  type CustomerConversationRow,
  type CustomerFileRow,
  type CustomerMessageRow,
  countUnreadByCustomer,
  listCustomerConversations,
  listCustomerFiles,
  listCustomerMessages,
  listCustomerMessagesByIds,
  listSentCards,
} from './store/customer-view.ts'
