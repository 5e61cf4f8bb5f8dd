/** Columns that no version has read or written. */
export const up = `
alter table collection_items drop column object_uri;
alter table hosts drop column software_version;
`
