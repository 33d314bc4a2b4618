-- The sender of a customer's reaction is the contact, as on messages. It was the address at the provider.
update reactions r set sender_id = c.contact_id
from messages m join conversations c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
where r.sender_type = 'customer' and m.tenant_id = r.tenant_id and m.id = r.message_id;
