/** The forms of users who are not signed in; the inbox does not load them. */
export { Invitation, ResetPassword } from './invitation.tsx'
export { OtherWorkspace, SignIn } from './sign-in.tsx'
