-- Lists of all conversations by the last message merge the open and the closed ones, so each message writes one index less.
drop index conversation_states_last;
