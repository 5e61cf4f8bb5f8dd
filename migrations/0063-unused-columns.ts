/** Columns that no version has read or written, and the index of account search before `accounts_search`. */
export const up = `
alter table collection_items drop column object_uri;
alter table hosts drop column software_version;
drop index accounts_search_text;
`
