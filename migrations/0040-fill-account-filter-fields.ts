/**
 * Fills the fields of existing accounts. Not in the migration that creates the triggers, whose locks would last as long.
 * About three seconds for 200,000 accounts, during which everybody may write: a row that a trigger has written is newer,
 * and a trigger waits for a row that this statement has written.
 */
export const up = `
insert into account_filter_fields (account_id, states, role_id, invited_by, username, display_name, email, domain, addresses)
select account_id, states, role_id, invited_by, username, display_name, email, domain, addresses
from account_filter_sources order by account_id
on conflict (account_id) do nothing;
`
