/** The index of handles of the migration before takes the place of two. */
export const up = `
drop index accounts_handle, accounts_handle_prefix;
alter index accounts_handles rename to accounts_handle;
`
