/** With the included columns, adding a status to the feeds of followers reads the index alone. */
export const up = `
drop index follows_target;
create index follows_target on follows (target_account_id, id desc) include (account_id, show_reblogs, languages);
`
