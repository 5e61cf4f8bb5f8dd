/** Where the server-rendered pages live and where their forms post to. */
export const paths = {
  landing: '/',
  account: '/account',
  signIn: '/auth/sign_in',
  signUp: '/auth/sign_up',
  register: '/auth',
  signOut: '/auth/sign_out',
  confirmation: '/auth/confirmation',
  authorize: '/oauth/authorize',
  setup: '/setup',
  mail: '/dev/mail',
} as const
