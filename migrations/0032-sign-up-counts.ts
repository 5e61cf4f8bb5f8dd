/** The limits of sign-ups in a day. */
export const up = `
-- How many valid sign-ups there were on a day, for the limits of the settings sign-ups-per-…; kept for two days.
create table sign_up_counts (
  -- UTC
  day date not null,
  -- all; ip: from one IP address; email_domain: with addresses of one domain
  kind text not null check (kind in ('all', 'ip', 'email_domain')),
  -- the IP address (IPv6: the /64) or the domain; empty for all
  subject text not null,
  count int not null,
  primary key (day, kind, subject)
);
`
