// Generated from openapi.json by npm run generate; do not edit.
export interface paths {
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in as a browser, with a session cookie
         * @description Sets the cookie `__Host-parley`, which scripts cannot read and which authenticates requests of pages of this service only. The session ends after 30 days without use and 90 days after the login. It is answered like `POST /auth/login`; complete a login that needs a code with `POST /auth/sessions/second-factor`.
         */
        post: operations["createBrowserSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete the login of a browser with the code of the second factor
         * @description As `POST /auth/second-factor`, but sets the session cookie: `challenge` is a member of the response 409 of `POST /auth/sessions`.
         */
        post: operations["completeBrowserLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Log out as a browser
         * @description Ends the session of this request immediately, closes its sockets and deletes the cookie.
         */
        delete: operations["endCurrentSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Newest first, without sessions that have ended. `lastUsedAt` is at most five minutes late for browsers; for other clients it is the last refresh.
         */
        get: operations["listOwnSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Its tokens and its cookie are refused and its sockets are closed within a second.
         */
        delete: operations["revokeOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Log in as a browser through the identity provider
         * @description Redirects to the provider with the authorization code flow and PKCE. A cookie of ten minutes lets only this browser complete the login. If the provider is unreachable, redirects to `returnTo` with the fragment `#login=unavailable`.
         */
        get: operations["startOidcLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete the login through the identity provider
         * @description The redirect URI of the client at the provider. Sets the session cookie and redirects to `returnTo` of the login with the fragment `#login=complete`. Otherwise the fragment is `#login=refused` (no user of this workspace), `cancelled`, `expired` (not the browser that began, or too late) or `unavailable`.
         */
        get: operations["completeOidcLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with e-mail and password
         * @description Returns an access token for 15 minutes and a refresh token. If the user has a second factor, the answer is a challenge instead: complete the login with `POST /auth/second-factor`.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new pair
         * @description Each refresh token works once. Reuse of a refresh token revokes the whole session.
         */
        post: operations["refreshTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Revokes the access and refresh tokens of this session immediately. API keys and tokens of external identity providers are not affected.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workspace and its owner
         * @description Returns tokens of the owner. Open only where the installation allows sign-up.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Creates the invited user, or enables a disabled one, and logs in.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a one-time token
         * @description Ends all sessions of the user. Log in with the new password afterwards.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users of the workspace
         * @description Lists all users, also disabled ones.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user
         * @description For users only; keys are described by `GET /me`. `scopes` is an extension.
         */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the current user
         * @description All members are optional.
         */
        patch: operations["updateCurrentUser"];
        trace?: never;
    };
    "/users/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Ends your other sessions. A wrong current password counts as a failed login.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Finds any user of the workspace, also a disabled one.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the teams of a user, disable or enable the user
         * @description All members are optional. `teamIds` replaces all teams of the user. A disabled user is logged out everywhere.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/users/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the role of a user
         * @description Admins move members between admin and agent; only owners grant or remove the role of an owner. A workspace keeps at least one owner, and you cannot change your own role.
         */
        put: operations["changeUserRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations that are not accepted yet
         * @description Newest first. Expired invitations are listed for 30 days.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a user
         * @description The token is shown once and valid for seven days. Send it to the person you invite. The address of a disabled user can be invited again: accepting enables the user, under the same id, with the invited role and teams.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description The token of the invitation is invalid afterwards.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/invitations/{id}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the token of an invitation
         * @description The new token is shown once and valid for seven days; the old one is invalid.
         */
        post: operations["renewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{userId}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a one-time token to set a new password
         * @description The token is shown once and valid for 24 hours; it replaces an earlier one. Send it to the user, who sets the password with `POST /auth/password-reset`. The current password stays valid until then.
         */
        post: operations["createPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries
         * @description Newest first, filtered by action, actor and target.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the teams
         * @description Lists the teams with the ids of their members.
         */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team
         * @description The name must be unique in the workspace.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description Refused while an inbox, a chatbot or an open conversation references the team.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Rename a team
         * @description The name must be unique in the workspace.
         */
        patch: operations["renameTeam"];
        trace?: never;
    };
    "/teams/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a user to a team
         * @description Has no effect if the user is a member already.
         */
        put: operations["addTeamMember"];
        post?: never;
        /**
         * Remove a user from a team
         * @description Has no effect if the user is not a member.
         */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller: a user or an API key
         * @description Needs no scope. Use it to test a key and to read its role and scopes.
         */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the service accounts
         * @description Lists the accounts, newest first, without their keys.
         */
        get: operations["listServiceAccounts"];
        put?: never;
        /**
         * Create a service account
         * @description The account is an admin with all scopes unless `role` and `scopes` (both extensions) restrict it. You cannot grant a role or scope that you do not hold.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a service account
         * @description Revokes its keys immediately.
         */
        delete: operations["deleteServiceAccount"];
        options?: never;
        head?: never;
        /**
         * Change a service account
         * @description Properties that are left out stay as they are; `scopes: null` means every scope of the role. Changes take effect within a second. To change scopes or to activate an account, you must hold the rights that it has then.
         */
        patch: operations["updateServiceAccount"];
        trace?: never;
    };
    "/service-accounts/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of a service account
         * @description Shows the prefix of each key; the keys themselves are not stored.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The plaintext `key` is in this response only. `expiresAt` is an extension.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key stops working within a second.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scopes
         * @description By name, each with the roles that hold it and the operations that need it. A service account has all scopes of its role unless it is restricted to some of them.
         */
        get: operations["listScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a login with the code of the second factor
         * @description `challenge` is a member of the response 409 `auth_second_factor_code_required` of the login and valid for five minutes. `code` is the current code of the authenticator app, or an unused recovery code.
         */
        post: operations["completeLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of your second factor
         * @description Shows whether it is enabled, and how many recovery codes are left.
         */
        get: operations["getSecondFactor"];
        put?: never;
        /**
         * Start the setup of a second factor
         * @description Returns a secret for an authenticator app, as text and as a URI for a QR code. It has no effect until it is confirmed.
         */
        post: operations["startSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the second factor with a first code
         * @description Returns ten recovery codes, shown once and each valid once. Ends your other sessions.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes
         * @description Returns new codes once. The old ones are invalid.
         */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/second-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable your second factor
         * @description Refused while the workspace requires a second factor.
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{userId}/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the second factor of a user who has lost it
         * @description Ends the sessions of the user.
         */
        delete: operations["removeSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workspace
         * @description Shows its name and settings, and whether users must have a second factor.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the workspace
         * @description All members are optional; `businessHours: null` means always open. With `secondFactorRequired`, users with a password and without a second factor can only set one up, also in sessions that are open.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/users/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your preferences
         * @description Returns the object that was last stored, `{}` at first.
         */
        get: operations["getPreferences"];
        /**
         * Replace your preferences
         * @description Stores any JSON object of at most 64 KiB, such as the theme, shortcuts, sounds and columns of a client.
         */
        put: operations["replacePreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is online, away or busy
         * @description As the users chose it; disabled users are left out. Whether a user views a conversation is sent as `presence` over realtime.
         */
        get: operations["listAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set yourself online, away or busy
         * @description With `until` you are online again from then on. Colleagues receive `availability_changed`.
         */
        put: operations["setAvailability"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Lists contacts that you can see, newest first. All filters must match.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create a contact
         * @description All members are optional. A phone number identifies one contact of the workspace.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts that may be the same person
         * @description Groups of active contacts with the same e-mail address, or with the same name unless each has an address of its own. Merge them with `POST /contacts/{id}/merge`. A page may have few groups although there are more: continue while there is a `nextPageToken`.
         */
        get: operations["listDuplicateContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact
         * @description The id of a merged contact returns its survivor.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /**
         * Delete a contact and release its phone number
         * @description Its conversations are kept. To remove all data of the contact, erase it.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description Omitted members do not change.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/contacts/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a contact
         * @description Hides the contact from lists and campaigns; its history is kept.
         */
        post: operations["archiveContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unarchive a contact
         * @description Shows the contact in lists again.
         */
        post: operations["unarchiveContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/custom-fields/{customFieldId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the value of a custom field; an empty value clears it
         * @description Dates are written as `2026-01-31`.
         */
        put: operations["setContactCustomField"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/tags/{tagId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a tag to a contact
         * @description Has no effect if the contact has the tag already.
         */
        post: operations["addContactTag"];
        /**
         * Remove a tag from a contact
         * @description Has no effect if the contact does not have the tag.
         */
        delete: operations["removeContactTag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/opt-outs/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Opt a contact out of a channel
         * @description The contact receives no messages on the channel until the opt-out is removed.
         */
        put: operations["optOutContact"];
        post?: never;
        /**
         * Remove an opt-out
         * @description Has no effect if the contact has not opted out.
         */
        delete: operations["removeContactOptOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes about a contact, newest first
         * @description Notes of a contact that was merged into this one are among them.
         */
        get: operations["listContactNotes"];
        put?: never;
        /**
         * Write an internal note about a contact
         * @description Notes are for users who can see the contact: they are never sent to the customer.
         */
        post: operations["createContactNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/notes/{noteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a note about a contact
         * @description Authors delete their own notes, owners and admins any.
         */
        delete: operations["deleteContactNote"];
        options?: never;
        head?: never;
        /**
         * Change a note about a contact that you wrote
         * @description Only the author changes a note.
         */
        patch: operations["updateContactNote"];
        trace?: never;
    };
    "/contacts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts from a CSV file, in the background
         * @description Columns: name, phone, email, externalRef, tags (names separated by commas or semicolons) and any custom field by its name. A row updates the contact with its phone number; without one, the contact with its externalRef or e-mail address. Other rows create contacts. Blank cells change nothing, missing cells at the end of a row are blank, and lines without text are skipped. Creating custom fields needs custom_field:create, creating tags tag:create.
         */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/import/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview how an import would read a file
         * @description Send the beginning of the file, at most 2 MiB. Returns the detected separator and encoding, the columns with a suggested mapping, and the first 20 rows. Nothing is stored.
         */
        post: operations["previewContactImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the imports, newest first
         * @description Without the errors of their rows.
         */
        get: operations["listContactImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of an import and the errors of its rows
         * @description Poll it until `status` is `completed` or `failed`.
         */
        get: operations["getContactImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts as CSV
         * @description The import reads it back to the same contacts. A cell that a spreadsheet would run as a formula begins with an apostrophe, which the import removes.
         */
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags
         * @description Shows how many contacts have each tag.
         */
        get: operations["listTags"];
        put?: never;
        /**
         * Create a tag
         * @description The name must be unique in the workspace.
         */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a tag and remove it from segments
         * @description Also removes it from contacts. Journeys and chatbots that use it list it in `missing`.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /**
         * Rename or recolor a tag
         * @description Contacts, segments and workflows keep the tag. A color of null removes the color.
         */
        patch: operations["updateTag"];
        trace?: never;
    };
    "/contacts/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of contact records
         * @description Includes the predefined fields.
         */
        get: operations["listContactCustomFields"];
        put?: never;
        /**
         * Define a custom field of contact records
         * @description The name must be unique among the fields of contact records.
         */
        post: operations["createContactCustomField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/custom-fields/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a custom field of contact records
         * @description Deletes its values, and removes it from segments.
         */
        delete: operations["deleteContactCustomField"];
        options?: never;
        head?: never;
        /**
         * Rename a custom field of contact records
         * @description Only the name changes: `type` must be the current one.
         */
        patch: operations["renameContactCustomField"];
        trace?: never;
    };
    "/properties/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of property records
         * @description Includes the predefined fields.
         */
        get: operations["listPropertyCustomFields"];
        put?: never;
        /**
         * Define a custom field of property records
         * @description The name must be unique among the fields of property records.
         */
        post: operations["createPropertyCustomField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties/custom-fields/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a custom field of property records
         * @description Deletes the definition.
         */
        delete: operations["deletePropertyCustomField"];
        options?: never;
        head?: never;
        /**
         * Rename a custom field of property records
         * @description Only the name changes: `type` must be the current one.
         */
        patch: operations["renamePropertyCustomField"];
        trace?: never;
    };
    "/inboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the inboxes
         * @description Shows the status of each inbox with the reasons why it is degraded.
         */
        get: operations["listInboxes"];
        put?: never;
        /**
         * Connect numbers or accounts of one channel
         * @description Creates one inbox per number or account: all of them or none. A number can be connected at most once in the installation.
         */
        post: operations["createInboxes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an inbox
         * @description Shows its settings and status.
         */
        get: operations["getInbox"];
        put?: never;
        post?: never;
        /**
         * Disconnect an inbox
         * @description Closes its sessions, fails its unsent messages and releases the number.
         */
        delete: operations["deleteInbox"];
        options?: never;
        head?: never;
        /**
         * Change the settings of an inbox
         * @description Properties that are left out stay as they are. `greeting` is sent once to a customer who opens a session, `away` once per session to a customer who writes outside of the business hours; null sends nothing. Neither is sent while a bot owns the conversation, nor to customers who opted out.
         */
        patch: operations["updateInbox"];
        trace?: never;
    };
    "/inboxes/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the inbox at the provider now
         * @description Tries the credentials and reads where the provider sends events. A failure opens the issue that it indicates, a success resolves issues.
         */
        post: operations["checkInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{id}/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Route new conversations of the inbox to a team
         * @description Open conversations keep their team.
         */
        put: operations["setInboxTeam"];
        post?: never;
        /**
         * Route new conversations of the inbox to the workspace's fallback
         * @description Open conversations keep their team.
         */
        delete: operations["removeInboxTeam"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store the workspace's own token at the provider
         * @description The token is tried first and not stored if the provider rejects it. A working token resolves `auth_expired`, and waiting messages are sent.
         */
        put: operations["setInboxCredentials"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{id}/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register the callback URL with the provider again
         * @description For an inbox with `webhook_failing` whose events the provider sends to another URL. Takes the events back, so be sure that no other installation uses the number. The issue is resolved once the provider has confirmed the URL.
         */
        post: operations["registerInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{id}/chatapp/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the approved and pending templates of a chatapp inbox
         * @description Read from the provider; `components` is as the provider describes it.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{id}/chatapp/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the published flows of a chatapp inbox
         * @description Read from the provider.
         */
        get: operations["listFlows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{inboxId}/socialapp/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the published media of a socialapp inbox
         * @description For journeys that start with a comment on a post, reel or story.
         */
        get: operations["listSocialMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatapp/{wabaId}/phone-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the phone numbers of a chatapp business account
         * @description Use the ids in `POST /inboxes`.
         */
        get: operations["listChatappPhoneNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/smsprovider/{accountSid}/phone-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an sms provider's credentials and list the phone numbers of the account
         * @description The credentials are stored for 15 minutes, for one use in `POST /inboxes`.
         */
        post: operations["listSmsPhoneNumbers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/channels/chatapp/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the webhook URL of the chatapp provider
         * @description Called by the provider when the URL is registered.
         */
        get: operations["verifyChatappWebhook"];
        put?: never;
        /**
         * Receive events of the chatapp provider
         * @description Called by the provider. Stored before it is acknowledged, and applied once.
         */
        post: operations["receiveChatappWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/channels/socialapp/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the webhook URL of the socialapp provider
         * @description Called by the provider when the URL is registered.
         */
        get: operations["verifySocialappWebhook"];
        put?: never;
        /**
         * Receive events of the socialapp provider
         * @description Called by the provider. Stored before it is acknowledged, and applied once.
         */
        post: operations["receiveSocialappWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations of a contact
         * @description Those that you can see, on all channels, with the latest messages first.
         */
        get: operations["listContactConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a contact into another; both ids then refer to the survivor
         * @description The contact in intoContactId survives and keeps its name and field values; missing values are taken from the other contact. The survivor gets the tags, identities, conversations, notes and opt-outs of both.
         */
        post: operations["mergeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a contact permanently
         * @description Deletes the contact, also one that was deleted before, with all data about the person: identities, field values, notes, conversations, messages and files, also in the event log, in stored responses and in dead jobs. The contact is deleted immediately, the rest within minutes; this cannot be undone. Aggregated numbers stay.
         */
        post: operations["eraseContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the texts of messages or notes
         * @description Newest first, in the conversations that you can see. A new message is found within moments, when the background has indexed it. Highlights are ranges of plain text, never HTML.
         */
        get: operations["searchMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to a recipient
         * @description Starts or continues a conversation. `inboxId` is required for the first message; `clientMessageId` is an extension.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message with its timeline
         * @description Poll `deliveryStatus`, or receive `message.updated` by webhook.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        /**
         * Cancel a message before it is handed to the provider
         * @description A scheduled message is deleted. One that was accepted stays in the conversation with the content `deleted` and the error `cancelled`.
         */
        delete: operations["cancelMessage"];
        options?: never;
        head?: never;
        /**
         * Change when a scheduled message is sent
         * @description A scheduled message that failed when it was due is tried again at the new time.
         */
        patch: operations["rescheduleMessage"];
        trace?: never;
    };
    "/messages/{id}/reactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * React to a message with one emoji, or remove the reaction
         * @description Each caller has one reaction on a message. The customer sees the latest one. `removed` removes the reaction with this emoji.
         */
        post: operations["reactToMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file to send
         * @description The type is detected from the bytes. Text needs a file name and a type of text; HTML, SVG and files that are not of their declared type are refused.
         */
        post: operations["uploadMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{mediaId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the URL of a file, valid for five minutes
         * @description A file that a customer sent is fetched in the background: `ready` is false until then.
         */
        get: operations["getMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{mediaId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file from its signed URL
         * @description Supports one byte range.
         */
        get: operations["downloadMedia"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Lists conversations that you can see, by default those with the latest messages first. All filters must match.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search conversations by a filter
         * @description Lists like `GET /conversations`, with the filter as an object, as saved views and bulk actions have it. All members of the filter must match.
         */
        post: operations["searchConversations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the conversations of several filters
         * @description For the counts of views: one request counts up to 20 filters. Counts above 10,000 are 10,000 with `approximate: true`.
         */
        post: operations["countConversations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many conversations
         * @description Takes up to 1,000 ids, or all conversations that match a filter now (at most 100,000). A job changes them in batches, with the same events as single changes. Each conversation has a result of its own.
         */
        post: operations["startBulkAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/bulk/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a bulk action
         * @description Agents see their own. Kept for 7 days.
         */
        get: operations["getBulkAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/bulk/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the results of a bulk action
         * @description One item for each conversation, in a fixed order.
         */
        get: operations["listBulkItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/bulk/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a bulk action
         * @description Possible until 10 minutes after the action has finished; a running action stops. Restores each conversation as it was, unless it was changed since: then it stays as it is, and its item says so. Needs the scope of the action.
         */
        post: operations["undoBulkAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation and its messaging window
         * @description `window` shows whether a person or a bot can reply now, and with which content.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation, newest first
         * @description Includes messages of conversations that were merged into it.
         */
        get: operations["listConversationMessages"];
        put?: never;
        /**
         * Reply in a conversation
         * @description Sends through the inbox of the open session, or through `inboxId`.
         */
        post: operations["replyToConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a conversation to a user
         * @description The user must be able to see the conversation.
         */
        post: operations["reassignConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a conversation to another contact
         * @description Moves the customer's address to the contact, with the messages from now on; earlier messages stay with the contact they were exchanged with. An open session is replaced by one with the same inbox, team and owner.
         */
        post: operations["relinkConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark messages as read up to a message
         * @description Your unread counters change; those of other users do not.
         */
        post: operations["markConversationRead"];
        /**
         * Mark messages as unread from a message on
         * @description Without `from`, the customer's last message becomes unread. Your unread counters change; those of other users do not. Messages that are unread stay unread.
         */
        delete: operations["markConversationUnread"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a conversation
         * @description Closes the open session. The next message, from either side, opens a new one.
         */
        post: operations["closeConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Assign a conversation to a user, a team, a chatbot or to nobody in particular
         * @description A team becomes the team of the conversation, too. A chatbot must be active; it replies to the next message of the customer.
         */
        put: operations["setConversationOwner"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a closed conversation
         * @description Continues the latest session with its team and owner; a chatbot hands over to the team. Does nothing if the conversation is open.
         */
        post: operations["reopenConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Snooze a conversation until a time or until the customer writes
         * @description A message of the customer ends every snooze, as does closing the conversation.
         */
        put: operations["snoozeConversation"];
        post?: never;
        /**
         * End the snooze of a conversation
         * @description Does nothing if the conversation is not snoozed.
         */
        delete: operations["wakeConversation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/priority": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the priority of a conversation
         * @description null removes the priority.
         */
        put: operations["setConversationPriority"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the labels
         * @description By name. A workspace has at most 1,000 labels.
         */
        get: operations["listLabels"];
        put?: never;
        /**
         * Create a label
         * @description The name must be unique in the workspace.
         */
        post: operations["createLabel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a label
         * @description Removes it from conversations in the background, with a `conversation.updated` for each.
         */
        delete: operations["deleteLabel"];
        options?: never;
        head?: never;
        /**
         * Rename or recolor a label
         * @description Conversations keep the label.
         */
        patch: operations["updateLabel"];
        trace?: never;
    };
    "/conversations/{id}/labels/{labelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a label to a conversation
         * @description Does nothing if the conversation has the label. A conversation has at most 50 labels.
         */
        put: operations["addConversationLabel"];
        post?: never;
        /**
         * Remove a label from a conversation
         * @description Does nothing if the conversation does not have the label.
         */
        delete: operations["removeConversationLabel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/channels/sms/{inboxId}/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive events of the sms provider
         * @description Called by the provider. Stored before it is acknowledged, and applied once.
         */
        post: operations["receiveSmsWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count my unread messages
         * @description Counts the unread messages in the open conversations that you can see.
         */
        get: operations["getUnreadCount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/unread-summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get my unread counters, with a version that only increases
         * @description Discard realtime updates whose `version` is lower.
         */
        get: operations["getUnreadSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write an internal note in a conversation
         * @description Notes are for users: they are never sent to the customer. Mentioned users must be able to see the conversation.
         */
        post: operations["createNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a note
         * @description Authors delete their own notes, owners and admins any. Files that nothing else uses are deleted too.
         */
        delete: operations["deleteNote"];
        options?: never;
        head?: never;
        /**
         * Change a note that you wrote
         * @description Properties that are left out stay as they are.
         */
        patch: operations["updateNote"];
        trace?: never;
    };
    "/users/me/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your drafts
         * @description At most 500, the latest first, of conversations that you can see.
         */
        get: operations["listDrafts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your draft of a reply or note
         * @description Others do not see it. `draft` is null if there is none.
         */
        get: operations["getDraft"];
        /**
         * Save your draft of a reply or note
         * @description Names the `revision` that it replaces: a 409 `draft_conflict` has the current draft if another tab saved, sent or deleted it meanwhile. Sending the reply or note deletes the draft.
         */
        put: operations["saveDraft"];
        post?: never;
        /**
         * Delete your draft of a reply or note
         * @description Does nothing if there is none.
         */
        delete: operations["discardDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages, notes and events of a conversation
         * @description Newest first. `around` begins at an entry, such as a search result or a link; `direction` pages from there. A page token continues in the direction of its query; after `around` alone it continues with older entries.
         */
        get: operations["getConversationTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a failed message again
         * @description Only messages of users and service accounts that failed. The message keeps its place in the conversation and is sent after those that are queued already.
         */
        post: operations["retryMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scheduled messages of a conversation, earliest first
         * @description Messages with `sendAt` that were not sent yet. One that could not be accepted when it was due is `failed` and stays until it is rescheduled or cancelled.
         */
        get: operations["listScheduledMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inboxes/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the health of an inbox
         * @description Open issues, the last callback and check, and the messages that failed within 24 hours.
         */
        get: operations["getInboxHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what happened in conversations
         * @description Openings, closings, replies and durations of at most 366 days, in total and by group. Openings have no user. Agents receive the figures of their own replies and closings. Deleted inboxes, teams and users keep their figures under their ids.
         */
        get: operations["getReportOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own and the shared saved replies
         * @description By shortcut. Owners and admins also see those of teams that they are not members of.
         */
        get: operations["listSavedReplies"];
        put?: never;
        /**
         * Create a saved reply
         * @description Private unless `scope` says otherwise. Owners and admins share with the workspace, agents with their own teams.
         */
        post: operations["createSavedReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved-replies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a saved reply
         * @description Files that nothing else uses are deleted too. Messages that were sent stay.
         */
        delete: operations["deleteSavedReply"];
        options?: never;
        head?: never;
        /**
         * Change a saved reply
         * @description Properties that are left out stay as they are. The one of a workspace is changed by owners and admins, the one of teams also by members of all of them.
         */
        patch: operations["updateSavedReply"];
        trace?: never;
    };
    "/saved-replies/{id}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill the placeholders of a saved reply for a conversation
         * @description Nothing is sent. `missing` lists the values that the contact or user does not have.
         */
        post: operations["renderSavedReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own and the shared views
         * @description In the order that you arranged, then by `position`. Apply a view with `POST /conversations/search`: `me` in its filter is the user who reads it.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a filter of the inbox as a view
         * @description Private unless `scope` says otherwise. Owners and admins share views with teams or the workspace.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a view
         * @description Conversations are not affected.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a view
         * @description Properties that are left out stay as they are; `filter` is replaced as a whole. Shared views are changed by owners and admins.
         */
        patch: operations["updateView"];
        trace?: never;
    };
    "/users/me/view-order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Arrange the views for yourself
         * @description Views that are left out follow by `position`. Ids of views that you do not see have no effect.
         */
        put: operations["arrangeViews"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/macros": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own and the shared macros
         * @description By name. Owners and admins also see those of teams that they are not members of.
         */
        get: operations["listMacros"];
        put?: never;
        /**
         * Create a macro
         * @description A list of actions that are run in order. In `assign`, the id `me` of a user is the user who runs the macro. Private unless `scope` says otherwise: owners and admins share with the workspace, agents with their own teams.
         */
        post: operations["createMacro"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/macros/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a macro
         * @description Conversations are not affected.
         */
        delete: operations["deleteMacro"];
        options?: never;
        head?: never;
        /**
         * Change a macro
         * @description Properties that are left out stay as they are; `actions` are replaced as a whole. The one of a workspace is changed by owners and admins, the one of teams also by members of all of them.
         */
        patch: operations["updateMacro"];
        trace?: never;
    };
    "/macros/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a macro on conversations
         * @description Runs the actions in order on each conversation, with your rights. A conversation on which an action fails stays as it was and is reported in the results; the others are changed. With an Idempotency-Key, a repeated request returns the first results and has no second effect.
         */
        post: operations["runMacro"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your notifications, the latest first
         * @description Those of conversations that you can no longer see are left out, so a page may have fewer than its size. Kept for 60 days.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read
         * @description Reading a conversation marks those of its messages as read too.
         */
        post: operations["readNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/notification-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get which notifications you want
         * @description All of them at first.
         */
        get: operations["getNotificationPreferences"];
        /**
         * Set which notifications you want
         * @description Applies to later notifications; those that exist stay.
         */
        put: operations["replaceNotificationPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the contacts
         * @description Counts contacts that are not archived, or with `archived=true` the archived ones.
         */
        get: operations["countContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search contacts by a filter
         * @description All conditions of the filter must match.
         */
        post: operations["searchContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/search/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the contacts that match a filter
         * @description Counts like `POST /contacts/search` finds.
         */
        post: operations["countSearchedContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the segments
         * @description Newest first, with their filters.
         */
        get: operations["listSegments"];
        put?: never;
        /**
         * Create a segment
         * @description Contacts enter and leave a segment as their data changes.
         */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{segmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a segment
         * @description The `ETag` is the revision to send as `If-Match`.
         */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /**
         * Delete a segment
         * @description A segment that a scheduled campaign uses cannot be deleted: the 409 lists them in `campaigns`.
         */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /**
         * Update a segment; a filter replaces the previous one as a whole
         * @description Needs `If-Match` with the ETag you last read.
         */
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/segments/{segmentId}/contacts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the contacts of a segment with an additional filter
         * @description Contacts must match the segment and the filter.
         */
        post: operations["searchSegmentContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{segmentId}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the contacts of a segment
         * @description Counts the contacts that match now and that you can see.
         */
        get: operations["countSegmentContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/segments/{segmentId}/contacts/{contactId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain which conditions of a segment match a contact
         * @description Shows each condition with its result for the contact.
         */
        get: operations["explainSegmentContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the campaigns
         * @description Newest first, filtered by status.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a draft
         * @description Segment, inbox and content are set with `PATCH`.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a campaign
         * @description The `ETag` is the revision to send as `If-Match`.
         */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        /**
         * Delete a campaign that is not scheduled or being sent
         * @description Unschedule a scheduled campaign first.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Change a draft
         * @description The channel follows the inbox. Texts of the content may contain placeholders for values of the recipient: `{{contact.name | default: "friend"}}`, `{{contact.customFields.plan}}`. `sendRate` is an extension.
         */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/campaigns/{campaignId}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a draft with the content and audience of this campaign
         * @description The name defaults to that of the campaign. Schedules and recipients are not copied.
         */
        post: operations["duplicateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a draft now or later
         * @description Needs a segment, an inbox and content. The recipients are evaluated when sending begins.
         */
        post: operations["scheduleCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/unschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn a scheduled campaign back into a draft, until its dispatch starts
         * @description Refused once sending has begun.
         */
        post: operations["unscheduleCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the analytics of a campaign
         * @description The first six counts are exclusive and add up to `audienceCount`; `replied` overlaps them. Rates are shares of the messages that were sent or failed. `timeline` contains how many recipients reached each status when.
         */
        get: operations["getCampaignAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recipients of a campaign with the status of each message
         * @description Empty until the audience is evaluated at the start of dispatch.
         */
        get: operations["listCampaignRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/recipients/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the recipients of a campaign as CSV
         * @description Streams all recipients, filtered by status.
         */
        get: operations["exportCampaignRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause sending
         * @description Messages that were handed to the provider are not recalled.
         */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume sending
         * @description Continues with the remaining recipients.
         */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description Recipients that were not dispatched become `skipped` with the reason `cancelled`.
         */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render the message of a campaign for one contact
         * @description Returns what the contact would receive now, with placeholders filled in and the text of the template, or the reason to skip the contact. Nothing is sent or recorded.
         */
        post: operations["previewCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the campaign's message to one contact
         * @description The message is personalised for the contact. It is not counted and not listed among the recipients.
         */
        post: operations["testCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/campaigns/{campaignId}/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Estimate recipients, skips and duration of sending the campaign now
         * @description Counts are those of this moment; nothing is sent.
         */
        get: operations["estimateCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List journeys
         * @description Newest first, with the number of all journeys that match.
         */
        get: operations["listJourneys"];
        put?: never;
        /**
         * Create a journey as a draft
         * @description triggerConfig and entryMode are stored in the start node, which is created if there is none.
         */
        post: operations["createJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a journey
         * @description `missing` lists deleted tags, fields and segments that it references.
         */
        get: operations["getJourney"];
        put?: never;
        post?: never;
        /**
         * Delete a journey that is not active
         * @description Pause it first. Runs in progress end.
         */
        delete: operations["deleteJourney"];
        options?: never;
        head?: never;
        /**
         * Update the draft of a journey; published versions do not change
         * @description Publish it again to apply the change to new runs.
         */
        patch: operations["updateJourney"];
        trace?: never;
    };
    "/journeys/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate the draft and create an immutable version of it
         * @description All problems of the draft are reported as violations with their paths. The `ETag` is that of the workflow.
         */
        post: operations["publishJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start runs of the published version when its trigger fires
         * @description Needs a published version.
         */
        post: operations["activateJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start no new runs; runs in progress continue
         * @description Activate it again to continue.
         */
        post: operations["pauseJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a journey, newest first
         * @description Each version contains its definition.
         */
        get: operations["listJourneyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/versions/{versionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a journey
         * @description Versions do not change.
         */
        get: operations["getJourneyVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/versions/{a}/diff/{b}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions of a journey
         * @description Lists the nodes and edges that were added, removed and changed from `a` to `b`.
         */
        get: operations["compareJourneyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/versions/{versionId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the draft with a version
         * @description Publish the draft to make it current.
         */
        post: operations["restoreJourneyVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a journey with the draft of this one
         * @description The name defaults to that of the journey. Versions and runs are not copied.
         */
        post: operations["duplicateJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether the draft of a journey could be published
         * @description Makes the checks of publishing with your rights, and changes nothing. Members of the body replace those of the stored draft.
         */
        post: operations["validateJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the runs at each node of a journey in a range of days
         * @description Counts of one version, or of all versions. The range has at most 92 days.
         */
        get: operations["getJourneyStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a run of a journey with a simulated clock; nothing is sent or stored
         * @description Uses the engine of real runs. Waits pass immediately, and the steps are returned.
         */
        post: operations["simulateJourney"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a journey, newest first
         * @description Filtered by status.
         */
        get: operations["listJourneyRuns"];
        put?: never;
        /**
         * Start a run of an active journey for a contact
         * @description Ignores the trigger, and respects the entry mode.
         */
        post: operations["startJourneyRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a chatbot, newest first
         * @description Filtered by status.
         */
        get: operations["listChatbotRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of all journeys and chatbots, newest first
         * @description Filtered by contact, status and workflow.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a contact, newest first
         * @description Runs of all journeys and chatbots.
         */
        get: operations["listContactRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the runs in progress of a workflow, a contact or both, up to 1,000 per request
         * @description Repeat the request until it cancels none. At least one of the members is required.
         */
        post: operations["cancelRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the runs that entered, wait at and passed each node, and over time
         * @description Counts of all versions of the journey.
         */
        get: operations["getJourneyAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start runs of an active journey for the contacts of a segment, in the background
         * @description Entry mode and conditions apply to each contact.
         */
        post: operations["enrollSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journeys/{id}/contacts/{contactId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a contact did or did not enter a journey
         * @description Shows each rule of the entry with its result for the contact.
         */
        get: operations["explainJourneyEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run of a journey or chatbot with its path and what it waits for
         * @description Shows the steps with their outputs and times.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Ends the run at its current node.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed step of a run
         * @description Continues at the node that failed.
         */
        post: operations["retryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events since a sequence number
         * @description For clients that poll. Returns the events after `since` that the caller may receive, oldest first; without `since`, from the oldest kept event on. Continue with `nextSince`, also after a page without events. Events are kept for seven days; a `since` before them is a 410.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Send a custom event about a contact
         * @description Starts journeys whose trigger names the event, and resumes runs that wait for it.
         */
        post: operations["sendEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the order in which chatbots are tried; bots that are not listed follow in their current order
         * @description The first bot of a team whose trigger matches takes a new session.
         */
        put: operations["orderChatbots"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List chatbots
         * @description Newest first, with the number of all chatbots that match.
         */
        get: operations["listChatbots"];
        put?: never;
        /**
         * Create a chatbot as a draft
         * @description The draft is validated when it is published.
         */
        post: operations["createChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a chatbot
         * @description `missing` lists deleted tags, fields and segments that it references.
         */
        get: operations["getChatbot"];
        put?: never;
        post?: never;
        /**
         * Delete a chatbot that is not active
         * @description Pause it first. Runs in progress end.
         */
        delete: operations["deleteChatbot"];
        options?: never;
        head?: never;
        /**
         * Update the draft of a chatbot; published versions do not change
         * @description Publish it again to apply the change to new runs.
         */
        patch: operations["updateChatbot"];
        trace?: never;
    };
    "/chatbots/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate the draft and create an immutable version of it
         * @description All problems of the draft are reported as violations with their paths. The `ETag` is that of the workflow.
         */
        post: operations["publishChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the bot reply in new conversations of its teams
         * @description Needs a published version.
         */
        post: operations["activateChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take no new conversations; runs in progress continue
         * @description Activate it again to continue.
         */
        post: operations["pauseChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a chatbot, newest first
         * @description Each version contains its definition.
         */
        get: operations["listChatbotVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/versions/{versionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a chatbot
         * @description Versions do not change.
         */
        get: operations["getChatbotVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/versions/{a}/diff/{b}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions of a chatbot
         * @description Lists the nodes and edges that were added, removed and changed from `a` to `b`.
         */
        get: operations["compareChatbotVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/versions/{versionId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the draft with a version
         * @description Publish the draft to make it current.
         */
        post: operations["restoreChatbotVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chatbot with the draft of this one
         * @description The name defaults to that of the chatbot. Versions and runs are not copied.
         */
        post: operations["duplicateChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether the draft of a chatbot could be published
         * @description Makes the checks of publishing with your rights, and changes nothing. Members of the body replace those of the stored draft.
         */
        post: operations["validateChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the runs at each node of a chatbot in a range of days
         * @description Counts of one version, or of all versions. The range has at most 92 days.
         */
        get: operations["getChatbotStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chatbots/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a run of a chatbot with a simulated clock; nothing is sent or stored
         * @description Uses the engine of real runs. Waits pass immediately, and the steps are returned.
         */
        post: operations["simulateChatbot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflow-nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all nodes and triggers of journeys and chatbots
         * @description Describes their data, outputs and limits, for editors.
         */
        get: operations["listWorkflowNodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of the secrets that http nodes can use
         * @description Values are never returned.
         */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or replace a secret
         * @description http nodes use it as `{{secrets.name}}` in URLs and headers. The value is encrypted and never returned.
         */
        put: operations["setSecret"];
        post?: never;
        /**
         * Delete a secret
         * @description Requests of http nodes that use it fail from now on with `secret_not_found`.
         */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the webhook settings
         * @description Before the first change, `enabled` is false and `url` is null.
         */
        get: operations["getWebhookSettings"];
        put?: never;
        post?: never;
        /**
         * Delete the webhook settings
         * @description Stops delivery and deletes pending deliveries. Attempts and signing keys are kept.
         */
        delete: operations["deleteWebhookSettings"];
        options?: never;
        head?: never;
        /**
         * Update the webhook settings
         * @description Changes the first of the endpoints at `/webhooks/endpoints`, or creates it. All members are optional. A new URL resets `verified`. A new URL and `enabled: true` resume paused deliveries immediately. All event types but `inbox.updated`, `journey.updated` and `chatbot.updated` are delivered until `eventTypes` is set.
         */
        patch: operations["updateWebhookSettings"];
        trace?: never;
    };
    "/webhooks/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed test event
         * @description Sends the event to `url`, by default to the saved URL. A 2xx response of the saved URL sets `verified` and resumes paused deliveries immediately; deliveries do not depend on `verified`.
         */
        post: operations["verifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signing keys
         * @description The first call creates a key if there is none. The first call of a caller with `webhook:update` returns its plaintext, which later calls omit.
         */
        get: operations["listSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/signing-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing key
         * @description Each replaced key also signs for 24 hours, or until it is revoked; while ten are valid, the answer is 429. Only this response contains the plaintext of the new key.
         */
        post: operations["rotateSigningKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/signing-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a replaced signing key
         * @description The key stops signing immediately. To revoke the active key, rotate it first.
         */
        post: operations["revokeSigningKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description The first endpoint is first, the others follow by age.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Receives its event types from its creation on, unless `enabled` is false. A workspace has at most 10 endpoints; they share its signing keys. Without a first endpoint, the new one is the first and is shown at `GET /webhooks`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description `health` shows whether its deliveries succeed.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Stops delivery and deletes pending deliveries. Attempts are kept.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update a webhook endpoint
         * @description All members are optional. A new URL resets `verified`. A new URL and `enabled: true` resume paused deliveries immediately.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhooks/endpoints/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed test event to an endpoint
         * @description A 2xx response sets `verified` and resumes paused deliveries immediately; deliveries do not depend on `verified`.
         */
        post: operations["verifyWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List delivery attempts
         * @description Lists the attempts of the last seven days, newest first.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/attempts/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the event of an attempt
         * @description Keeps the `webhook-id`. A delivery that is waiting for its next attempt is tried immediately.
         */
        post: operations["resendWebhookAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay events since a time
         * @description Delivers all events since that time again, up to seven days back, with their original `webhook-id`, whether they had been delivered or not. `endpointId` defaults to the first endpoint, `eventTypes` to the types of the endpoint.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realtime/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a ticket for one WebSocket connection
         * @description For pages of other sites: connect to `/v1/realtime?ticket=…` within 60 seconds. Pages of this service connect with their session cookie, other clients with their token in the Authorization header.
         */
        post: operations["createRealtimeTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a message from a customer to an inbox
         * @description The message arrives through the signed callback of the provider.
         */
        post: operations["simulateInbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages that the provider received from an inbox, complete and in order
         * @description `to` restricts the list to one customer.
         */
        get: operations["listSandboxMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock of the providers and of your workspace's runs and messaging windows
         * @description Closes messaging windows and expires rate limits at the providers. It never goes back.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Let the providers drop, delay, repeat or reorder callbacks, or fail requests, for your inboxes
         * @description Replaces all faults.
         */
        put: operations["setSandboxFaults"];
        post?: never;
        /**
         * Remove all faults of the providers
         * @description The providers answer normally again.
         */
        delete: operations["clearSandboxFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read everything that a client needs to start
         * @description One response instead of a request for each list. A part is left out if the caller lacks its scope. Each part is at least as new as `seq`.
         */
        get: operations["getBootstrap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search all kinds of resources
         * @description A few hits of each kind, for a command palette: contacts, conversations and messages by their text, all others by their name. A kind is left out if the caller lacks its scope or it has no hit.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a contact, newest first
         * @description Conversations opened and closed, notes, messages of campaigns, journeys, opt-outs, creation and merges. Messages are not listed: read them in the conversation. Entries that need a scope which the caller lacks, and those of conversations that the caller cannot see, are left out. Ignore types that you do not know.
         */
        get: operations["getContactTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was created */
        post: operations["onContactCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was changed */
        post: operations["onContactUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A contact was archived, deleted or merged into another */
        post: operations["onContactArchived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A session of a conversation was opened */
        post: operations["onConversationStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The owner, team, inbox, contact, snooze, priority or labels of a conversation changed, or it was reopened */
        post: operations["onConversationUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A conversation was closed */
        post: operations["onConversationClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A message was sent or received */
        post: operations["onMessageCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The status, reactions or content of a message changed */
        post: operations["onMessageUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "inbox.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An inbox degraded or recovered, or its team or credentials changed (extension) */
        post: operations["onInboxUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "journey.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A journey was activated or paused (extension) */
        post: operations["onJourneyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "chatbot.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A chatbot was activated or paused (extension) */
        post: operations["onChatbotUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ApiKey: {
            id: string;
            name: string;
            keyPrefix: string;
            serviceAccountId: string;
            tenantId: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            lastUsedFrom: string | null;
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        AuditEntry: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @enum {string} */
            actorType: "user" | "service" | "system";
            actorId: string | null;
            action: string;
            targetType: string;
            targetId: string;
            details: {
                [key: string]: unknown;
            };
        };
        AuthSession: {
            id: string;
            /**
             * @description with a cookie, or with access and refresh tokens
             * @enum {string}
             */
            kind: "browser" | "token";
            address: string | null;
            userAgent: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
            /** @description the session of this request */
            isCurrent: boolean;
        };
        Availability: {
            userId: string;
            /** @enum {string} */
            status: "online" | "away" | "busy";
            until: string | null;
        };
        Bootstrap: {
            /** @description position in the event log: connect to `/v1/realtime?since=…` to receive later changes */
            seq: number;
            me?: {
                id: string;
                name: string;
                email: string;
                teamIds: string[];
                /** @enum {string} */
                role: "owner" | "admin" | "agent";
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                joinedAt: string;
                avatarUrl: string | null;
                provider: string;
                emailVerified: boolean;
                disabled: boolean;
                /** @description extension: what the session or token may do */
                scopes: string[];
            };
            /** @description any members; clients define their meaning */
            preferences?: {
                [key: string]: unknown;
            };
            workspace?: {
                id: string;
                name: string;
                secondFactorRequired: boolean;
                /** @description a name of the IANA database, such as Europe/Madrid */
                timezone: string;
                /** @description a BCP 47 tag, such as de-CH */
                locale: string;
                businessHours: components["schemas"]["BusinessHours"] | null;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                createdAt: string;
            };
            users?: components["schemas"]["User"][];
            teams?: components["schemas"]["Team"][];
            tags?: components["schemas"]["Tag"][];
            customFields?: components["schemas"]["CustomField"][];
            inboxes?: components["schemas"]["Inbox"][];
            labels?: components["schemas"]["Label"][];
            unread?: {
                count: number;
                conversations: number;
                version: number;
            };
            views?: components["schemas"]["View"][];
        };
        BulkAction: {
            id: string;
            action: components["schemas"]["ConversationAction"];
            /** @enum {string} */
            status: "running" | "completed" | "undoing" | "undone";
            /** @description conversations of the action */
            total: number;
            changed: number;
            /** @description conversations that were already so */
            unchanged: number;
            failed: number;
            /** @description undone */
            restored: number;
            /** @description changed since, so that undoing left them as they are */
            notRestored: number;
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            finishedAt: string | null;
            /** @description null while running and after an undo */
            undoUntil: string | null;
        };
        BulkItem: {
            conversationId: string;
            /**
             * @description cancelled: undone before its turn
             * @enum {string}
             */
            result: "pending" | "changed" | "unchanged" | "failed" | "cancelled";
            /** @description the code of the error, such as conversation_not_found */
            error: string | null;
            /** @description changed: the conversation was changed after the action, and undoing left it as it is */
            undoResult: ("restored" | "changed" | "failed") | null;
            undoError: string | null;
        };
        /** @description in the time zone of the workspace; windows of a day do not overlap */
        BusinessHours: {
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            from: string;
            to: string;
        }[];
        Campaign: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "failed" | "cancelled";
            segmentId: string | null;
            inboxId: string | null;
            channel: ("chatapp" | "socialapp" | "sms") | null;
            content: components["schemas"]["OutboundMessageContent"] | null;
            sendRate: number | null;
            revision: number;
            scheduledAt: string | null;
            evaluatedAt: string | null;
            sentAt: string | null;
            audienceCount: number | null;
            dispatchError: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        CampaignAnalytics: {
            campaignId: string;
            audienceCount: number | null;
            counts: {
                pending: number;
                sent: number;
                delivered: number;
                read: number;
                failed: number;
                skipped: number;
                replied: number;
            };
            rates: {
                delivery: number;
                read: number;
                reply: number;
                failure: number;
            };
            startedAt: string | null;
            finishedAt: string | null;
            timeline: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                sent: number;
                delivered: number;
                read: number;
                failed: number;
            }[];
        };
        CampaignEstimate: {
            audienceCount: number;
            sendable: number;
            skipped: {
                archived: number;
                opted_out: number;
                no_identity: number;
                window_closed: number;
                missing_parameter: number;
            };
            rate: number | null;
            durationSeconds: number | null;
        };
        CampaignPreview: {
            contactId: string;
            /** @description null if the contact would be skipped */
            content: components["schemas"]["MessageContent"] | null;
            skipReason: ("archived" | "opted_out" | "no_identity" | "window_closed" | "missing_parameter") | null;
        };
        CampaignRecipient: {
            contactId: string;
            contactName: string | null;
            /** @enum {string} */
            status: "pending" | "sent" | "delivered" | "read" | "failed" | "skipped";
            reason?: string;
            messageId?: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        ChatappFlow: {
            id: string;
            name: string;
            status: string;
            categories: string[];
        };
        ChatappPhoneNumber: {
            id: string;
            displayPhoneNumber: string;
            verifiedName: string | null;
            qualityRating: string | null;
            codeVerificationStatus: string | null;
            isRegistered: boolean;
        };
        ChatappTemplate: {
            id: string;
            name: string;
            language: string;
            status: string;
            category: string;
            components: ({
                type: string;
                text?: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        Chatbot: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            /** @description Extension: set if the service paused the workflow */
            pauseReason?: {
                /** @constant */
                code: "publisher_rights_lost";
                message: string;
                /** @description Scopes, `role:admin`, or `account:active` if the publisher was disabled or deleted */
                missing: string[];
            };
            publishedVersionId: string | null;
            /** @description Extension: incremented by every change; the ETag */
            revision: number;
            /** @description Extension: the user or service account that last changed the draft; null: unknown */
            updatedBy: string | null;
            /** @description References of the published version, or of the draft if there is none, that were deleted */
            missing?: {
                field: string;
                code: string;
                message: string;
            }[];
            teamIds: string[];
            /** @description Bots with a lower position are tried first */
            position: number;
            draft: components["schemas"]["WorkflowDefinition"];
        };
        ChatbotUpdatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "chatbot.updated";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                chatbot: components["schemas"]["WorkflowStatus"];
                /** @description extension: the properties that changed */
                changes: string[];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        ChatbotVersion: {
            id: string;
            definition: components["schemas"]["WorkflowDefinition"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description Extension: the user or service account that published it */
            publishedBy: string;
            /** @description Extension: what its publisher wrote about it */
            note: string | null;
            /** @description Extension: what may not work as intended, with paths into the definition */
            warnings?: {
                field: string;
                code: string;
                message: string;
            }[];
            /** @description Extension, only when published: the revision of the workflow, to be sent as `If-Match` */
            revision?: number;
            chatbotId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        Contact: {
            id: string;
            tenantId: string;
            name: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            tagIds: string[];
            /** @description values by field name */
            customFields: {
                [key: string]: string;
            };
            archivedAt: string | null;
            /** @description extension: channels the contact opted out of */
            optOuts: ("chatapp" | "socialapp" | "sms")[];
            identities: {
                id: string;
                /** @enum {string} */
                channel: "chatapp" | "socialapp" | "sms";
                metadata: {
                    phoneNumber: string | null;
                };
                /** @description extension: the phone number, or the provider's user id where no number is known */
                externalId: string;
                username: string | null;
            }[];
        };
        ContactArchivedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "contact.archived";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                contact: {
                    id: string;
                    tenantId: string;
                    name: string | null;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    createdAt: string;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    updatedAt: string;
                    tagIds: string[];
                    /** @description values by field name */
                    customFields: {
                        [key: string]: string;
                    };
                    archivedAt: string | null;
                    /** @description extension: channels the contact opted out of */
                    optOuts: ("chatapp" | "socialapp" | "sms")[];
                    conversations: {
                        conversationId: string | null;
                        /** @enum {string} */
                        channel: "chatapp" | "socialapp" | "sms";
                        metadata: {
                            phoneNumber: string | null;
                        };
                    }[];
                    /** @description extension: null if the contact was archived */
                    deletedAt: string | null;
                    /** @description extension: the contact it was merged into */
                    mergedInto: string | null;
                };
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        ContactCondition: components["schemas"]["ContactConditionSearchText"] | components["schemas"]["ContactConditionArchiveStatus"] | components["schemas"]["ContactConditionCreatedAt"] | components["schemas"]["ContactConditionFirstSeen"] | components["schemas"]["ContactConditionLastInteraction"] | components["schemas"]["ContactConditionChatCount"] | components["schemas"]["ContactConditionCustomFieldText"] | components["schemas"]["ContactConditionCustomFieldDate"] | components["schemas"]["ContactConditionHasAnyTag"] | components["schemas"]["ContactConditionNotAnyTag"] | components["schemas"]["ContactConditionHasAnyChannel"] | components["schemas"]["ContactConditionOptedOut"] | components["schemas"]["ContactConditionInJourney"] | components["schemas"]["ContactConditionGotCampaign"] | components["schemas"]["ContactConditionNever"];
        ContactConditionArchiveStatus: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "archiveStatus";
            /** @enum {string} */
            status: "active" | "archived" | "any";
        };
        ContactConditionChatCount: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chatCount";
            /** @enum {string} */
            operator: "eq" | "gte" | "lte";
            value: number;
            windowDays?: number;
        };
        ContactConditionCreatedAt: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "createdAt";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            after?: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            before?: string;
            withinDays?: number;
            notWithinDays?: number;
        };
        ContactConditionCustomFieldDate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "customFieldDate";
            fieldId: string;
            /** @enum {string} */
            operator: "on" | "before" | "after" | "withinNextDays" | "withinLastDays" | "anniversaryToday" | "isSet" | "isNotSet";
            value?: string | number;
        };
        ContactConditionCustomFieldText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "customFieldText";
            fieldId: string;
            /** @enum {string} */
            operator: "equals" | "notEquals" | "contains" | "startsWith" | "isSet" | "isNotSet";
            value?: string;
        };
        ContactConditionFirstSeen: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "firstSeen";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            after?: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            before?: string;
            withinDays?: number;
            notWithinDays?: number;
        };
        /** @description extension: the message of the campaign was sent to the contact */
        ContactConditionGotCampaign: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "gotCampaign";
            campaignId: string;
        };
        ContactConditionHasAnyChannel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hasAnyChannel";
            channels: ("chatapp" | "socialapp" | "sms")[];
        };
        ContactConditionHasAnyTag: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hasAnyTag";
            /** @description an empty list matches no contact */
            tagIds: string[];
        };
        /** @description extension: has a run of the journey in progress */
        ContactConditionInJourney: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "inJourney";
            journeyId: string;
        };
        ContactConditionLastInteraction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lastInteraction";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            after?: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            before?: string;
            withinDays?: number;
            notWithinDays?: number;
        };
        ContactConditionNever: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "never";
            reason?: string;
        };
        /** @description extension: has none of these tags */
        ContactConditionNotAnyTag: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "notAnyTag";
            tagIds: string[];
        };
        /** @description extension: has opted out of the channel */
        ContactConditionOptedOut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "optedOut";
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
        };
        ContactConditionSearchText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "searchText";
            text: string;
        };
        ContactCreatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "contact.created";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                contact: components["schemas"]["LinkedContact"];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        ContactFilter: {
            /**
             * @description any is an extension
             * @enum {string}
             */
            match: "all" | "any";
            /** @description at most 20 conditions, those of groups included; groups are an extension */
            conditions: (components["schemas"]["ContactCondition"] | components["schemas"]["ContactFilterGroup"])[];
        };
        ContactFilterGroup: {
            /**
             * @description any is an extension
             * @enum {string}
             */
            match: "all" | "any";
            conditions: (components["schemas"]["ContactCondition"] | components["schemas"]["ContactFilterSubgroup"])[];
        };
        ContactFilterSubgroup: {
            /**
             * @description any is an extension
             * @enum {string}
             */
            match: "all" | "any";
            conditions: components["schemas"]["ContactCondition"][];
        };
        ContactImport: {
            importId: string;
            /** @enum {string} */
            status: "queued" | "processing" | "completed" | "failed";
            /** @description known once the file has been inspected */
            totalRows: number;
            successCount: number;
            failedCount: number;
            /** @description the first 1,000; includes a notice for each row that repeats the phone number of an earlier row */
            errors: {
                /** @description counts data records from 1; 0 is the header, or the file as a whole */
                row: number;
                column: string;
                message: string;
            }[];
        };
        ContactImportPreview: {
            separator: string;
            /** @enum {string} */
            encoding: "utf-8" | "windows-1252";
            columns: {
                header: string;
                /** @description an element of the `mapping` of an import */
                suggestion: string;
            }[];
            /** @description the first 20, with one cell for each column; cells are cut after 200 characters */
            rows: string[][];
        };
        ContactImportSummary: {
            importId: string;
            /** @enum {string} */
            status: "queued" | "processing" | "completed" | "failed";
            filename: string;
            /** @description bytes */
            size: number;
            dryRun: boolean;
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            finishedAt: string | null;
            totalRows: number;
            successCount: number;
            failedCount: number;
            /** @description stored errors and notices, at most 1,000 */
            errorCount: number;
        };
        ContactNote: {
            id: string;
            contactId: string;
            /** @enum {string} */
            authorType: "user" | "service";
            authorId: string;
            text: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        ContactSummary: {
            id: string;
            name: string | null;
            email: string | null;
            phone: string | null;
            tags: {
                id: string;
                name: string;
            }[];
            channels: ("chatapp" | "socialapp" | "sms")[];
            hasConversations: boolean;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            archivedAt: string | null;
        };
        ContactTimelineItem: components["schemas"]["ContactTimelineItemCreated"] | components["schemas"]["ContactTimelineItemArchived"] | components["schemas"]["ContactTimelineItemMerged"] | components["schemas"]["ContactTimelineItemOptedOut"] | components["schemas"]["ContactTimelineItemNote"] | components["schemas"]["ContactTimelineItemConversationOpened"] | components["schemas"]["ContactTimelineItemConversationReopened"] | components["schemas"]["ContactTimelineItemConversationClosed"] | components["schemas"]["ContactTimelineItemOptedIn"] | components["schemas"]["ContactTimelineItemCampaignMessage"] | components["schemas"]["ContactTimelineItemJourneyStarted"] | components["schemas"]["ContactTimelineItemJourneyEnded"];
        ContactTimelineItemArchived: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "archived";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        ContactTimelineItemCampaignMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "campaign_message";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            campaignId: string;
            campaignName: string;
            conversationId: string;
            messageId: string;
            /** @enum {string} */
            status: "pending" | "sent" | "delivered" | "read" | "failed" | "skipped";
        };
        ContactTimelineItemConversationClosed: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation_closed";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            conversationId: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            /** @description null: the customer or the service */
            actor: {
                /** @enum {string} */
                type: "user" | "service" | "bot" | "journey";
                id: string;
            } | null;
        };
        ContactTimelineItemConversationOpened: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation_opened";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            conversationId: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            /** @description null: the customer or the service */
            actor: {
                /** @enum {string} */
                type: "user" | "service" | "bot" | "journey";
                id: string;
            } | null;
        };
        ContactTimelineItemConversationReopened: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation_reopened";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            conversationId: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            /** @description null: the customer or the service */
            actor: {
                /** @enum {string} */
                type: "user" | "service" | "bot" | "journey";
                id: string;
            } | null;
        };
        ContactTimelineItemCreated: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "created";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        ContactTimelineItemJourneyEnded: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "journey_ended";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            runId: string;
            journeyId: string;
            /** @description null: the journey was deleted */
            journeyName: string | null;
            /** @enum {string} */
            status: "running" | "waiting" | "completed" | "failed" | "cancelled";
            endReason: string | null;
        };
        ContactTimelineItemJourneyStarted: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "journey_started";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            runId: string;
            journeyId: string;
            /** @description null: the journey was deleted */
            journeyName: string | null;
        };
        ContactTimelineItemMerged: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "merged";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description the contact that was merged into this one */
            contactId: string;
            name: string | null;
        };
        ContactTimelineItemNote: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "note";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            note: components["schemas"]["ContactNote"];
        };
        ContactTimelineItemOptedIn: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opted_in";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            /** @description where an earlier opt-out or opt-in was recorded; null: an opt-out that is in effect */
            conversationId: string | null;
        };
        ContactTimelineItemOptedOut: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "opted_out";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            /** @description where an earlier opt-out or opt-in was recorded; null: an opt-out that is in effect */
            conversationId: string | null;
        };
        ContactUpdatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "contact.updated";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                contact: components["schemas"]["LinkedContact"];
                /** @description extension: the properties that changed */
                changes: string[];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        Conversation: {
            id: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            externalId: string;
            inboxId: string;
            name: string;
            contactId: string;
            contactName: string | null;
            /** @enum {string} */
            status: "open" | "closed";
            activeOwner: {
                /** @enum {string} */
                type: "user" | "team" | "bot";
                id: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            lastMessageAt: string;
            lastMessagePreview: string | null;
            lastMessageSender: string | null;
            /** @description extension: agents outside the team see the conversation only if they own it */
            teamId: string | null;
            /** @description extension */
            labelIds: string[];
            /** @description extension */
            priority: ("low" | "medium" | "high" | "urgent") | null;
            /** @description extension */
            snoozed: boolean;
            /** @description extension: null while `snoozed`: until the customer writes */
            snoozedUntil: string | null;
            /** @description extension: time of the first message of the customer that no person has replied to */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description extension: start of the latest session
             * @example 2026-01-31T09:30:00.000Z
             */
            openedAt: string;
            /** @description extension: null while open */
            closedAt: string | null;
            /** @description extension: until when the channel accepts free-form messages; null without a window or without a message of the customer */
            windowExpiresAt: string | null;
            /** @description extension: of the caller; in lists and single reads of users, not in events */
            unreadCount?: number;
            /** @description extension: the user who wrote the last message; in lists and single reads, not in events */
            lastMessageSenderId?: string | null;
            /** @description extension: whether the last message could not be delivered; of the caller; in lists and single reads of users, not in events */
            lastMessageFailed?: boolean;
            /** @description extension: of the caller; in lists and single reads of users, not in events */
            lastReadMessageId?: string | null;
            /** @description extension: in lists and single reads, not in events */
            contact?: {
                id: string;
                name: string | null;
                optOuts: ("chatapp" | "socialapp" | "sms")[];
            };
        };
        ConversationAction: components["schemas"]["ConversationActionClose"] | components["schemas"]["ConversationActionReopen"] | components["schemas"]["ConversationActionAssign"] | components["schemas"]["ConversationActionAddLabel"] | components["schemas"]["ConversationActionRemoveLabel"] | components["schemas"]["ConversationActionSetPriority"] | components["schemas"]["ConversationActionSnooze"] | components["schemas"]["ConversationActionWake"] | components["schemas"]["ConversationActionMarkRead"];
        ConversationActionAddLabel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "addLabel";
            labelId: string;
        };
        ConversationActionAssign: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assign";
            owner: components["schemas"]["OwnerRequest"];
        };
        ConversationActionClose: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "close";
        };
        ConversationActionMarkRead: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "markRead";
        };
        ConversationActionRemoveLabel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "removeLabel";
            labelId: string;
        };
        ConversationActionReopen: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reopen";
        };
        ConversationActionSetPriority: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "setPriority";
            priority: ("low" | "medium" | "high" | "urgent") | null;
        };
        ConversationActionSnooze: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "snooze";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            until?: string;
            /** @description true: until the customer writes */
            untilReply?: boolean;
        };
        ConversationActionWake: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wake";
        };
        ConversationClosedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "conversation.closed";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                conversation: components["schemas"]["Conversation"];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        ConversationEvent: {
            id: string;
            /** @description opened, reopened, closed, assigned, unassigned, handed_over (from a bot), inbox_changed, contact_changed, labelled, unlabelled, opted_out, opted_in; ignore types that you do not know */
            type: string;
            /** @description null: the customer or the service */
            actor: {
                /** @enum {string} */
                type: "user" | "service" | "bot" | "journey";
                id: string;
            } | null;
            details?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
        };
        ConversationFilter: {
            /** @description true: with at least one message of the customer; false: without any */
            interacted?: boolean;
            /** @description part of the name or external id */
            search?: string;
            status?: ("open" | "closed")[];
            ownerType?: ("user" | "team" | "bot" | "none")[];
            /** @description extension: a user, team or chatbot; `me`; `none` for conversations without an owner */
            ownerId?: string;
            /** @description extension: the team of the conversation; `none` for conversations without a team */
            teamId?: string;
            /** @description extension */
            contactId?: string;
            /** @description extension: the inbox of the latest session */
            inboxId?: string;
            /** @description extension: any of them */
            channel?: ("chatapp" | "socialapp" | "sms")[];
            /** @description extension: any of them */
            labelIds?: string[];
            /** @description extension: any of them */
            priority?: ("low" | "medium" | "high" | "urgent" | "none")[];
            /** @description extension: true: open, with messages that you have not read, and owned by you, one of your teams or nobody, as the unread counters count them; false: all others */
            unread?: boolean;
            /** @description extension */
            snoozed?: boolean;
            /** @description extension: true: the customer waits for the reply of a person */
            waiting?: boolean;
            /**
             * Format: date-time
             * @description extension: inclusive
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description extension: exclusive
             * @example 2026-01-31T09:30:00.000Z
             */
            createdBefore?: string;
            /**
             * Format: date-time
             * @description extension: inclusive; a message, a new status, owner, team or contact updates a conversation
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAfter?: string;
            /**
             * Format: date-time
             * @description extension: exclusive
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedBefore?: string;
        };
        ConversationSort: {
            /**
             * @description `waitingSince` is an extension: it lists conversations in which the customer waits, and no others
             * @enum {string}
             */
            field: "lastMessageAt" | "createdAt" | "updatedAt" | "name" | "waitingSince";
            /**
             * @description default: desc; for `waitingSince` asc, the longest wait first
             * @enum {string}
             */
            direction?: "asc" | "desc";
        };
        ConversationStartedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "conversation.started";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                conversation: components["schemas"]["Conversation"];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        ConversationUpdatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "conversation.updated";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                conversation: components["schemas"]["Conversation"];
                /** @description extension: the properties that changed */
                changes: string[];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        ConversationWithWindow: {
            id: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            externalId: string;
            inboxId: string;
            name: string;
            contactId: string;
            contactName: string | null;
            /** @enum {string} */
            status: "open" | "closed";
            activeOwner: {
                /** @enum {string} */
                type: "user" | "team" | "bot";
                id: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            lastMessageAt: string;
            lastMessagePreview: string | null;
            lastMessageSender: string | null;
            /** @description extension: agents outside the team see the conversation only if they own it */
            teamId: string | null;
            /** @description extension */
            labelIds: string[];
            /** @description extension */
            priority: ("low" | "medium" | "high" | "urgent") | null;
            /** @description extension */
            snoozed: boolean;
            /** @description extension: null while `snoozed`: until the customer writes */
            snoozedUntil: string | null;
            /** @description extension: time of the first message of the customer that no person has replied to */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description extension: start of the latest session
             * @example 2026-01-31T09:30:00.000Z
             */
            openedAt: string;
            /** @description extension: null while open */
            closedAt: string | null;
            /** @description extension: until when the channel accepts free-form messages; null without a window or without a message of the customer */
            windowExpiresAt: string | null;
            /** @description extension: of the caller; in lists and single reads of users, not in events */
            unreadCount?: number;
            /** @description extension: the user who wrote the last message; in lists and single reads, not in events */
            lastMessageSenderId?: string | null;
            /** @description extension: whether the last message could not be delivered; of the caller; in lists and single reads of users, not in events */
            lastMessageFailed?: boolean;
            /** @description extension: of the caller; in lists and single reads of users, not in events */
            lastReadMessageId?: string | null;
            /** @description extension: in lists and single reads, not in events */
            contact?: {
                id: string;
                name: string | null;
                optOuts: ("chatapp" | "socialapp" | "sms")[];
            };
            window: components["schemas"]["Window"];
        };
        /** @description Exactly one channel */
        CreateInboxRequest: {
            chatapp?: {
                resourceIds: string[];
                phoneNumberIds: string[];
                /** @description The workspace's own token at the provider; defaults to the deployment's token */
                authToken?: string;
            };
            socialapp?: {
                resourceIds: string[];
                /** @description The workspace's own token at the provider; defaults to the deployment's token */
                authToken?: string;
            };
            sms?: {
                pendingCredentialId: string;
                phoneNumberSids: string[];
            };
        };
        CurrentUser: {
            id: string;
            name: string;
            email: string;
            teamIds: string[];
            /** @enum {string} */
            role: "owner" | "admin" | "agent";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            joinedAt: string;
            avatarUrl: string | null;
            provider: string;
            emailVerified: boolean;
            disabled: boolean;
            /** @description extension: what the session or token may do */
            scopes: string[];
        };
        CustomField: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "text" | "date";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            createdBy: string | null;
            predefined: boolean;
            /** @enum {string} */
            entityType: "contact" | "property";
        };
        Draft: {
            conversationId: string;
            /** @enum {string} */
            kind: "reply" | "note";
            content: {
                text: string;
                /** @description uploaded files */
                mediaIds?: string[];
                /** @description users, for a note */
                mentions?: string[];
                /** @description the message that the reply quotes */
                messageId?: string;
            };
            /** @description rises with every change */
            revision: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        DuplicateContacts: {
            /** @enum {string} */
            reason: "email" | "name";
            /** @description contacts of the group */
            count: number;
            /** @description at most ten of them */
            contacts: components["schemas"]["Contact"][];
        };
        /** @description Exactly one of its properties; at most two years */
        Duration: {
            seconds?: number;
            minutes?: number;
            hours?: number;
            days?: number;
        };
        EntryExplanation: {
            journeyId: string;
            contactId: string;
            /** @description if its trigger fired now */
            wouldEnter: boolean;
            reasons: {
                code: string;
                message: string;
            }[];
            conditions: {
                condition: {
                    [key: string]: unknown;
                };
                holds: boolean;
                implied: boolean;
            }[];
            /** @description what the entry mode allows for each key with which the contact has entered */
            keys?: {
                key: string | null;
                wouldEnter: boolean;
                reason: {
                    code: string;
                    message: string;
                } | null;
            }[];
            latestRun: components["schemas"]["WorkflowRun"] | null;
            /** @description the latest events about the contact that the trigger reads */
            events: {
                type: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                timestamp: string;
                outcome: string;
                message: string;
            }[];
        };
        Inbox: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            tenantId: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
            externalId: string;
            createdBy: string;
            name: string;
            teamId: string | null;
            status: {
                /** @enum {string} */
                state: "active" | "degraded" | "disconnected";
                reasons: ("payment_issue" | "auth_expired" | "quality_low" | "rate_limited" | "webhook_failing")[];
            };
            /** @description chatapp: phoneNumberId, wabaId, displayPhoneNumber; sms: phoneNumberSid, accountSid, phoneNumber; socialapp: accountId, username */
            config: {
                [key: string]: string;
            };
            /** @description extension: null means the hours of the workspace */
            businessHours: components["schemas"]["BusinessHours"] | null;
            /** @description extension: sent once to a customer who opens a session */
            greeting: string | null;
            /** @description extension: sent once per session to a customer who writes outside of the business hours */
            away: string | null;
        };
        InboxCheck: {
            inbox: components["schemas"]["Inbox"];
            /** @description the provider accepts the credentials and knows the number or account */
            ok: boolean;
            failure: {
                code: string;
                message: string;
            } | null;
            callbacks: ("registered" | "missing" | "elsewhere") | null;
        };
        InboxHealth: {
            status: {
                /** @enum {string} */
                state: "active" | "degraded" | "disconnected";
                reasons: ("payment_issue" | "auth_expired" | "quality_low" | "rate_limited" | "webhook_failing")[];
            };
            issues: {
                issue: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                since: string;
            }[];
            checkedAt: string | null;
            lastCallbackAt: string | null;
            /** @description the current callback URL is registered with the provider */
            isRegistered: boolean;
            ratePerSecond: number | null;
            failures: {
                /** @description messages that failed within 24 hours; at most 10000 */
                count: number;
                /** @description the newest ten of them, newest first */
                latest: {
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    at: string;
                    messageId: string;
                    code: string;
                    message: string;
                }[];
            };
        };
        InboxUpdatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "inbox.updated";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                inbox: components["schemas"]["Inbox"];
                /** @description extension: the properties that changed */
                changes: string[];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        Invitation: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "agent";
            teamIds: string[];
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            expiresAt: string;
        };
        Journey: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            /** @description Extension: set if the service paused the workflow */
            pauseReason?: {
                /** @constant */
                code: "publisher_rights_lost";
                message: string;
                /** @description Scopes, `role:admin`, or `account:active` if the publisher was disabled or deleted */
                missing: string[];
            };
            publishedVersionId: string | null;
            /** @description Extension: incremented by every change; the ETag */
            revision: number;
            /** @description Extension: the user or service account that last changed the draft; null: unknown */
            updatedBy: string | null;
            /** @description References of the published version, or of the draft if there is none, that were deleted */
            missing?: {
                field: string;
                code: string;
                message: string;
            }[];
            tenantId: string;
            /** @enum {string} */
            entryMode: "once" | "once_active" | "every_time" | "cooldown";
            cooldown?: {
                for: components["schemas"]["Duration"];
            };
            triggerConfig: components["schemas"]["TriggerConfig"] | null;
            definition: components["schemas"]["WorkflowDefinition"];
        };
        JourneyAnalytics: {
            journeyId: string;
            /**
             * Format: date
             * @example 2026-01-31
             */
            from: string;
            /**
             * Format: date
             * @example 2026-01-31
             */
            to: string;
            totals: {
                entered: number;
                /** @description in progress now */
                waiting: number;
                /** @description messages that were refused or failed */
                undelivered: number;
                goalReached: number;
            };
            /** @description since the first run, of all versions */
            nodes: {
                nodeId: string;
                entered: number;
                /** @description in progress now */
                waiting: number;
                /** @description messages that were refused or failed */
                undelivered: number;
                goalReached: number;
                /** @description by output */
                passed: {
                    [key: string]: number;
                };
            }[];
            days: {
                /**
                 * Format: date
                 * @example 2026-01-31
                 */
                date: string;
                entered: number;
                undelivered: number;
                goalReached: number;
            }[];
        };
        JourneyUpdatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "journey.updated";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                journey: components["schemas"]["WorkflowStatus"];
                /** @description extension: the properties that changed */
                changes: string[];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        JourneyVersion: {
            id: string;
            definition: components["schemas"]["WorkflowDefinition"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description Extension: the user or service account that published it */
            publishedBy: string;
            /** @description Extension: what its publisher wrote about it */
            note: string | null;
            /** @description Extension: what may not work as intended, with paths into the definition */
            warnings?: {
                field: string;
                code: string;
                message: string;
            }[];
            /** @description Extension, only when published: the revision of the workflow, to be sent as `If-Match` */
            revision?: number;
            journeyId: string;
            triggerConfig: components["schemas"]["TriggerConfig"];
            /** @enum {string} */
            entryMode: "once" | "once_active" | "every_time" | "cooldown";
        };
        Label: {
            id: string;
            name: string;
            /** @example #2b59c3 */
            color: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            createdBy: string | null;
        };
        LinkedContact: {
            id: string;
            tenantId: string;
            name: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            tagIds: string[];
            /** @description values by field name */
            customFields: {
                [key: string]: string;
            };
            archivedAt: string | null;
            /** @description extension: channels the contact opted out of */
            optOuts: ("chatapp" | "socialapp" | "sms")[];
            conversations: {
                conversationId: string | null;
                /** @enum {string} */
                channel: "chatapp" | "socialapp" | "sms";
                metadata: {
                    phoneNumber: string | null;
                };
            }[];
        };
        Login: {
            accessToken: string;
            /** @constant */
            tokenType: "Bearer";
            /** @description seconds */
            expiresIn: number;
            refreshToken: string;
            user: components["schemas"]["User"];
        };
        Macro: {
            id: string;
            name: string;
            actions: components["schemas"]["MacroAction"][];
            /**
             * @description who sees it: only you, teams, or everyone
             * @enum {string}
             */
            scope: "me" | "team" | "workspace";
            /** @description for the scope team */
            teamIds: string[];
            revision: number;
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        MacroAction: components["schemas"]["MacroActionReply"] | components["schemas"]["MacroActionSavedReply"] | components["schemas"]["MacroActionNote"] | components["schemas"]["MacroActionAddLabel"] | components["schemas"]["MacroActionRemoveLabel"] | components["schemas"]["MacroActionAssign"] | components["schemas"]["MacroActionSetPriority"] | components["schemas"]["MacroActionSnooze"] | components["schemas"]["MacroActionClose"];
        MacroActionAddLabel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "addLabel";
            labelId: string;
        };
        MacroActionAssign: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "assign";
            owner: components["schemas"]["OwnerRequest"];
        };
        MacroActionClose: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "close";
        };
        MacroActionNote: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "note";
            text: string;
        };
        MacroActionRemoveLabel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "removeLabel";
            labelId: string;
        };
        MacroActionReply: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reply";
            /** @description may have the placeholders of saved replies */
            text: string;
        };
        MacroActionSavedReply: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "savedReply";
            savedReplyId: string;
        };
        MacroActionSetPriority: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "setPriority";
            priority: ("low" | "medium" | "high" | "urgent") | null;
        };
        MacroActionSnooze: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "snooze";
            /** @description until the customer writes by default */
            minutes?: number;
        };
        MacroResult: {
            conversationId: string;
            /** @enum {string} */
            result: "done" | "failed";
            /** @description a conversation whose macro failed is as it was before */
            error: {
                /** @description the number of the action that failed, from 0 */
                action: number;
                /** @description such as conversation_not_found */
                code: string;
                message: string;
            } | null;
        };
        Me: {
            /** @enum {string} */
            type: "user" | "serviceAccount";
            id: string;
            tenantId: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "agent";
            scopes: string[];
            teamIds: string[];
            apiKey: components["schemas"]["ApiKey"] | null;
        };
        Media: {
            ready: boolean;
            /** @description a path of this service, valid for five minutes without a token */
            url?: string;
            /** @description extension: a small JPEG of an image, once it is created; valid for as long */
            thumbnailUrl?: string;
            /** @enum {string} */
            mediaType?: "image" | "document" | "video" | "audio";
            /** @description extension */
            mimeType?: string;
            /** @description extension */
            filename?: string;
            /** @description extension */
            fileSize?: number;
            /** @description extension: why the file could not be fetched */
            error?: {
                code: string;
                message: string;
            };
        };
        MediaUpload: {
            mediaId: string;
            /** @enum {string} */
            mediaType: "image" | "document" | "video" | "audio";
            mimeType: string;
            filename: string;
            fileSize: number;
            /** @description a path of this service, valid for five minutes without a token */
            url: string;
        };
        Message: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            tenantId: string;
            conversationId: string;
            /** @enum {string} */
            senderType: "user" | "customer" | "bot" | "journey" | "campaign" | "service";
            senderId: string;
            /** @description extension: the contact that owned the address when the message was accepted */
            contactId?: string;
            content: components["schemas"]["MessageContent"];
            /** @enum {string} */
            deliveryStatus: "pending" | "sent" | "failed" | "delivered" | "read" | "received";
            deliveryError?: {
                code: string;
                message: string;
                retryable: boolean;
            };
            /**
             * Format: date-time
             * @description extension: when a scheduled message is sent
             * @example 2026-01-31T09:30:00.000Z
             */
            sendAt?: string;
            channelMessageId?: string;
            clientMessageId?: string;
            context?: components["schemas"]["MessageContext"][];
            reactions?: components["schemas"]["Reaction"][];
            timeline?: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                type: string;
                details?: {
                    [key: string]: unknown;
                };
            }[];
        };
        MessageContent: components["schemas"]["MessageContentText"] | components["schemas"]["MessageContentTemplate"] | components["schemas"]["MessageContentMedia"] | components["schemas"]["MessageContentRich"] | components["schemas"]["MessageContentContactInfoRequest"] | components["schemas"]["MessageContentFormResponse"] | components["schemas"]["MessageContentReply"] | components["schemas"]["MessageContentLocation"] | components["schemas"]["MessageContentContacts"] | components["schemas"]["MessageContentUnsupported"] | components["schemas"]["MessageContentDeleted"];
        MessageContentContactInfoRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contactInfoRequest";
            contactInfoRequest: {
                body: {
                    text: string;
                };
            };
        };
        MessageContentContacts: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contacts";
            contacts: {
                [key: string]: unknown;
            }[];
        };
        /** @description extension: the sender withdrew the message */
        MessageContentDeleted: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deleted";
            deleted: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
            };
        };
        MessageContentFormResponse: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "formResponse";
            formResponse: {
                flowToken: string | null;
                values: {
                    [key: string]: unknown;
                };
            };
        };
        MessageContentLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "location";
            location: {
                latitude: number;
                longitude: number;
                name?: string;
                address?: string;
            };
        };
        MessageContentMedia: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "media";
            media: {
                mediaId: string;
                caption?: string;
                filename?: string;
            };
        };
        MessageContentReply: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reply";
            reply: {
                id: string;
                title: string;
                description?: string;
            };
        };
        MessageContentRich: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rich";
            rich: {
                header?: components["schemas"]["RichHeader"];
                body: {
                    text: string;
                };
                footer?: {
                    text: string;
                };
                actions: components["schemas"]["RichAction"][];
            };
        };
        MessageContentTemplate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "template";
            template: {
                name: string;
                language: string;
                components?: {
                    /** @enum {string} */
                    type: "header" | "body" | "button";
                    /** @enum {string} */
                    subType?: "quick_reply" | "url" | "copy_code" | "flow";
                    index?: number;
                    parameters: components["schemas"]["TemplateParameter"][];
                }[];
                /** @description extension: header, body and footer as the customer sees them */
                renderedText?: string;
            };
        };
        MessageContentText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: {
                body: string;
                /**
                 * Format: date-time
                 * @description extension: when the sender edited the text
                 * @example 2026-01-31T09:30:00.000Z
                 */
                editedAt?: string;
            };
        };
        MessageContentUnsupported: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unsupported";
            unsupported: {
                reason: string;
            };
        };
        MessageContext: components["schemas"]["MessageContextMessage"] | components["schemas"]["MessageContextResource"] | components["schemas"]["MessageContextUnavailable"];
        MessageContextMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message";
            messageId: string;
        };
        MessageContextResource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resource";
            resource: {
                kind: string;
                id: string;
                url?: string;
                title?: string;
            };
        };
        MessageContextUnavailable: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unavailable";
            channelMessageId: string;
        };
        MessageCreatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "message.created";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["Conversation"];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        MessageRecipient: components["schemas"]["MessageRecipientChannel"] | components["schemas"]["MessageRecipientPhone"] | components["schemas"]["MessageRecipientConversation"] | components["schemas"]["MessageRecipientContact"];
        MessageRecipientChannel: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "channel";
            externalId: string;
            /** @enum {string} */
            channel: "chatapp" | "socialapp" | "sms";
        };
        MessageRecipientContact: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact";
            contactId: string;
            /** @enum {string} */
            channel?: "chatapp" | "socialapp" | "sms";
        };
        MessageRecipientConversation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "conversation";
            conversationId: string;
        };
        MessageRecipientPhone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "phone";
            phoneNumber: string;
        };
        MessageSearchResult: {
            /** @enum {string} */
            type: "message" | "note";
            /** @description for `around` in the messages or the timeline of the conversation */
            id: string;
            conversationId: string;
            conversationName: string;
            inboxId: string;
            /** @enum {string} */
            senderType: "user" | "customer" | "bot" | "journey" | "campaign" | "service";
            senderId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /** @description the part of the text with the first match, plain text */
            text: string;
            /** @description the matches in `text`, in UTF-16 units, in order and without overlaps; `end` is exclusive */
            highlights: {
                start: number;
                end: number;
            }[];
        };
        MessageUpdatedEvent: {
            /** @description the same in the header webhook-id */
            id: string;
            /** @constant */
            type: "message.updated";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            data: {
                message: components["schemas"]["Message"];
                conversation: components["schemas"]["Conversation"];
                /** @description extension: the properties that changed */
                changes: string[];
            };
            /** @description extension: number of the event among the public events of the workspace, without gaps */
            sequence: number;
        };
        Note: {
            id: string;
            conversationId: string;
            /** @description the contact of the conversation when it was written */
            contactId: string;
            /** @enum {string} */
            authorType: "user" | "service";
            authorId: string;
            text: string;
            mentions: string[];
            mediaIds: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        Notification: {
            id: string;
            /**
             * @description you were mentioned in a note, a conversation was assigned to you, or a customer wrote in a conversation that you own
             * @enum {string}
             */
            type: "mention" | "assignment" | "message";
            conversationId: string;
            sourceId: string | null;
            actorId: string | null;
            /** @description messages that an unread notification stands for */
            count: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            readAt: string | null;
        };
        NotificationPreferences: {
            mention: boolean;
            assignment: boolean;
            message: boolean;
        };
        OutboundMessageContent: components["schemas"]["OutboundMessageContentText"] | components["schemas"]["OutboundMessageContentTemplate"] | components["schemas"]["OutboundMessageContentMedia"] | components["schemas"]["OutboundMessageContentRich"] | components["schemas"]["OutboundMessageContentContactInfoRequest"];
        OutboundMessageContentContactInfoRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contactInfoRequest";
            contactInfoRequest: {
                body: {
                    text: string;
                };
            };
        };
        OutboundMessageContentMedia: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "media";
            media: {
                mediaId: string;
                caption?: string;
                filename?: string;
            };
        };
        OutboundMessageContentRich: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rich";
            rich: {
                header?: components["schemas"]["RichHeader"];
                body: {
                    text: string;
                };
                footer?: {
                    text: string;
                };
                actions: components["schemas"]["RichAction"][];
            };
        };
        OutboundMessageContentTemplate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "template";
            template: {
                name: string;
                language: string;
                components?: {
                    /** @enum {string} */
                    type: "header" | "body" | "button";
                    /** @enum {string} */
                    subType?: "quick_reply" | "url" | "copy_code" | "flow";
                    index?: number;
                    parameters: components["schemas"]["TemplateParameter"][];
                }[];
            };
        };
        OutboundMessageContentText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: {
                body: string;
            };
        };
        OwnerRequest: components["schemas"]["OwnerRequestUser"] | components["schemas"]["OwnerRequestTeam"] | components["schemas"]["OwnerRequestBot"] | components["schemas"]["OwnerRequestNone"];
        OwnerRequestBot: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bot";
            id: string;
        };
        OwnerRequestNone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "none";
        };
        OwnerRequestTeam: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "team";
            id: string;
        };
        OwnerRequestUser: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user";
            id: string;
        };
        /** @description any members; clients define their meaning */
        Preferences: {
            [key: string]: unknown;
        };
        Problem: {
            /** @description URL of the documentation of the code. */
            type: string;
            title: string;
            status: number;
            detail: string;
            instance: string;
            /** @description Stable, such as `validation_failed` or `internal_error`. */
            code: string;
            requestId: string;
            violations?: {
                field: string;
                code: string;
                message: string;
            }[];
        };
        PublicEvent: {
            /** @description the same as the `webhook-id` of its delivery */
            id: string;
            /** @description counts the public events of the workspace without gaps */
            sequence: number;
            /** @enum {string} */
            type: "contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
            /** @description the same as in webhooks */
            data: {
                [key: string]: unknown;
            };
        };
        Reaction: {
            id: string;
            messageId: string;
            senderType: string;
            senderId: string;
            emoji: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        ReportOverview: {
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            to: string;
            timezone: string;
            totals: {
                /** @description new sessions */
                opened: number;
                /** @description closed sessions that were opened again */
                reopened: number;
                closed: number;
                /** @description of people to customers who waited */
                replies: number;
                /** @description from the first message of the customer to the first reply of a person */
                firstReply: {
                    count: number;
                    averageSeconds: number | null;
                    /** @description estimated from counters of durations */
                    medianSeconds: number | null;
                };
                /** @description how long customers waited for each reply of a person */
                waiting: {
                    count: number;
                    averageSeconds: number | null;
                    /** @description estimated from counters of durations */
                    medianSeconds: number | null;
                };
                /** @description from opening to closing */
                resolution: {
                    count: number;
                    averageSeconds: number | null;
                    /** @description estimated from counters of durations */
                    medianSeconds: number | null;
                };
            };
            groups: {
                /** @description a date, an hour from 0 to 23, or an id; null: none */
                key: string | null;
                /** @description new sessions */
                opened: number;
                /** @description closed sessions that were opened again */
                reopened: number;
                closed: number;
                /** @description of people to customers who waited */
                replies: number;
                /** @description from the first message of the customer to the first reply of a person */
                firstReply: {
                    count: number;
                    averageSeconds: number | null;
                    /** @description estimated from counters of durations */
                    medianSeconds: number | null;
                };
                /** @description how long customers waited for each reply of a person */
                waiting: {
                    count: number;
                    averageSeconds: number | null;
                    /** @description estimated from counters of durations */
                    medianSeconds: number | null;
                };
                /** @description from opening to closing */
                resolution: {
                    count: number;
                    averageSeconds: number | null;
                    /** @description estimated from counters of durations */
                    medianSeconds: number | null;
                };
            }[];
        };
        RichAction: components["schemas"]["RichActionReply"] | components["schemas"]["RichActionUrl"] | components["schemas"]["RichActionFlow"] | components["schemas"]["RichActionList"];
        RichActionFlow: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "flow";
            title: string;
            flowId: string;
            token?: string;
            screen?: string;
            data?: {
                [key: string]: unknown;
            };
        };
        RichActionList: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "list";
            title: string;
            sections: {
                title?: string;
                rows: {
                    id: string;
                    title: string;
                    description?: string;
                }[];
            }[];
        };
        RichActionReply: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reply";
            id: string;
            title: string;
        };
        RichActionUrl: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "url";
            title: string;
            url: string;
        };
        RichHeader: components["schemas"]["RichHeaderText"] | components["schemas"]["RichHeaderMedia"];
        RichHeaderMedia: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "media";
            media: {
                mediaId: string;
            };
        };
        RichHeaderText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: string;
        };
        SandboxContent: components["schemas"]["SandboxContentText"] | components["schemas"]["SandboxContentMedia"] | components["schemas"]["SandboxContentLocation"] | components["schemas"]["SandboxContentContacts"] | components["schemas"]["SandboxContentReply"] | components["schemas"]["SandboxContentButton"] | components["schemas"]["SandboxContentFormResponse"] | components["schemas"]["SandboxContentReaction"] | components["schemas"]["SandboxContentUnsupported"] | components["schemas"]["SandboxContentComment"] | components["schemas"]["SandboxContentStoryMention"] | components["schemas"]["SandboxContentStoryReply"] | components["schemas"]["SandboxContentRead"] | components["schemas"]["SandboxContentDeleted"] | components["schemas"]["SandboxContentEdited"] | components["schemas"]["SandboxContentRaw"];
        SandboxContentButton: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "button";
            button: {
                payload: string;
                text: string;
            };
        };
        SandboxContentComment: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "comment";
            comment: {
                text: string;
                mediaId?: string;
                parentId?: string;
                live?: boolean;
            };
        };
        SandboxContentContacts: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contacts";
            contacts: {
                [key: string]: unknown;
            }[];
        };
        SandboxContentDeleted: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deleted";
            deleted: {
                providerMessageId: string;
            };
        };
        SandboxContentEdited: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "edited";
            edited: {
                providerMessageId: string;
                text: string;
            };
        };
        SandboxContentFormResponse: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "formResponse";
            formResponse: {
                flowToken?: string;
                values: {
                    [key: string]: unknown;
                };
            };
        };
        SandboxContentLocation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "location";
            location: {
                latitude: number;
                longitude: number;
                name?: string;
                address?: string;
            };
        };
        SandboxContentMedia: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "media";
            media: {
                /** @enum {string} */
                kind?: "image" | "video" | "audio" | "document" | "sticker";
                /** @description The file; default: a small sample */
                base64?: string;
                mimeType?: string;
                filename?: string;
                caption?: string;
                voice?: boolean;
            };
        };
        SandboxContentRaw: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "raw";
            raw: {
                [key: string]: unknown;
            };
        };
        SandboxContentReaction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reaction";
            reaction: {
                providerMessageId: string;
                emoji: string | null;
            };
        };
        SandboxContentRead: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "read";
            read: {
                providerMessageId: string;
            };
        };
        SandboxContentReply: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reply";
            reply: {
                id: string;
                title: string;
                description?: string;
            };
        };
        SandboxContentStoryMention: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "storyMention";
        };
        SandboxContentStoryReply: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "storyReply";
            storyReply: {
                text: string;
                storyId?: string;
            };
        };
        SandboxContentText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: {
                body: string;
            };
        };
        SandboxContentUnsupported: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unsupported";
            unsupported?: {
                reason?: string;
            };
        };
        SavedReply: {
            id: string;
            shortcut: string;
            text: string;
            mediaIds: string[];
            /**
             * @description who sees it: only you, teams, or everyone
             * @enum {string}
             */
            scope: "me" | "team" | "workspace";
            /** @description for the scope team */
            teamIds: string[];
            revision: number;
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        Scope: {
            name: string;
            description: string;
            /** @description roles that hold the scope */
            roles: ("owner" | "admin" | "agent")[];
            /** @description operations that need the scope, some of them only for certain requests */
            operations: {
                operationId: string;
                method: string;
                path: string;
                summary: string;
            }[];
        };
        SearchHit: {
            id: string;
            title: string;
            detail: string | null;
            /** @description of a message */
            conversationId?: string;
        };
        Secret: {
            name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        Segment: {
            id: string;
            name: string;
            description: string | null;
            createdBy: string;
            filter: components["schemas"]["ContactFilter"];
            revision: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        SegmentExplanation: {
            segmentId: string;
            contactId: string;
            matches: boolean;
            conditions: {
                condition: {
                    [key: string]: unknown;
                };
                holds: boolean;
                /** @description not part of the filter, but implied by it */
                implied: boolean;
            }[];
        };
        SendMessageContext: components["schemas"]["SendMessageContextMessage"] | components["schemas"]["SendMessageContextResource"];
        SendMessageContextMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message";
            messageId: string;
        };
        SendMessageContextResource: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resource";
            resource: {
                kind: string;
                id: string;
                url?: string;
                title?: string;
            };
        };
        ServiceAccount: {
            id: string;
            tenantId: string;
            name: string;
            description: string | null;
            isActive: boolean;
            /**
             * @description extension
             * @enum {string}
             */
            role: "admin" | "agent";
            scopes: string[] | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        Simulation: {
            /** @description false: the trigger or its conditions do not match, and nothing ran */
            entered: boolean;
            /** @enum {string} */
            status: "running" | "waiting" | "completed" | "failed" | "cancelled";
            endReason: string | null;
            error: {
                code: string;
                message: string;
                nodeId: string;
            } | null;
            nodeId: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            endedAt: string;
            variables: {
                [key: string]: unknown;
            };
            path: {
                n: number;
                nodeId: string;
                type: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                /** @description the input of the node */
                input: unknown;
                /** @enum {string} */
                outcome: "to" | "wait" | "http" | "jump" | "end" | "fail";
                output: string | null;
                detail: {
                    [key: string]: unknown;
                } | null;
            }[];
            /** @description the effects that the steps would have had */
            effects: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                nodeId: string;
                effect: string;
                input: unknown[];
                result: unknown;
            }[];
        };
        SmsPhoneNumber: {
            phoneNumberSid: string;
            phoneNumber: string;
            friendlyName: string | null;
            capabilities: {
                sms: boolean;
                mms: boolean;
                voice: boolean;
            };
        };
        SocialMedia: {
            id: string;
            /** @enum {string} */
            mediaType: "post" | "reel" | "story";
            caption: string | null;
            permalink: string | null;
            mediaUrl: string | null;
            thumbnailUrl: string | null;
            timestamp: string | null;
        };
        Tag: {
            id: string;
            name: string;
            color: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            createdBy: string | null;
            /** @description number of contacts with the tag */
            labeledCount: number;
        };
        Team: {
            id: string;
            name: string;
            memberIds: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        TemplateParameter: components["schemas"]["TemplateParameterText"] | components["schemas"]["TemplateParameterCurrency"] | components["schemas"]["TemplateParameterDateTime"] | components["schemas"]["TemplateParameterMedia"] | components["schemas"]["TemplateParameterPayload"] | components["schemas"]["TemplateParameterCoupon"];
        TemplateParameterCoupon: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coupon";
            coupon: string;
        };
        TemplateParameterCurrency: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "currency";
            currency: {
                code: string;
                amount1000: number;
                fallbackValue: string;
            };
        };
        TemplateParameterDateTime: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dateTime";
            dateTime: {
                fallbackValue: string;
            };
        };
        TemplateParameterMedia: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "media";
            media: {
                mediaId: string;
            };
        };
        TemplateParameterPayload: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "payload";
            payload: string;
        };
        TemplateParameterText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: string;
            name?: string;
        };
        TimelineItem: components["schemas"]["TimelineItemMessage"] | components["schemas"]["TimelineItemNote"] | components["schemas"]["TimelineItemEvent"];
        TimelineItemEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            event: components["schemas"]["ConversationEvent"];
        };
        TimelineItemMessage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            message: components["schemas"]["Message"];
        };
        TimelineItemNote: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "note";
            id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            note: components["schemas"]["Note"];
        };
        /** @description The trigger; further properties depend on its type, see GET /workflow-nodes */
        TriggerConfig: {
            type: string;
            /** @description `{}`, or a ContactFilter */
            conditions?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        User: {
            id: string;
            name: string;
            email: string;
            teamIds: string[];
            /** @enum {string} */
            role: "owner" | "admin" | "agent";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            joinedAt: string;
            avatarUrl: string | null;
            provider: string;
            emailVerified: boolean;
            disabled: boolean;
        };
        View: {
            id: string;
            name: string;
            filter: components["schemas"]["ConversationFilter"];
            sort: components["schemas"]["ConversationSort"] | null;
            position: number;
            /**
             * @description who sees it: only you, teams, or everyone
             * @enum {string}
             */
            scope: "me" | "team" | "workspace";
            /** @description for the scope team */
            teamIds: string[];
            revision: number;
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        WebhookAttempt: {
            id: string;
            eventId: string;
            /** @enum {string} */
            eventType: "contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated" | "webhook.test";
            /** @enum {string} */
            status: "succeeded" | "failed";
            endpointId: string | null;
            deliveryId: string;
            attemptNumber: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            attemptedAt: string;
            responseStatus: number | null;
            responseBody: string | null;
            latencyMs: number | null;
            errorText: string | null;
            signedWithVersions: number[];
        };
        WebhookEndpoint: {
            id: string;
            /** @description the endpoint that `GET /webhooks` shows */
            isFirst: boolean;
            description: string | null;
            enabled: boolean;
            verified: boolean;
            url: string | null;
            eventTypes: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
            health: components["schemas"]["WebhookHealth"];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
        };
        WebhookHealth: {
            failingSince: string | null;
            consecutiveFailures: number;
            nextAttemptAt: string | null;
            disabledReason: ("gone" | "failing") | null;
        };
        WebhookSettings: {
            id: string | null;
            enabled: boolean;
            verified: boolean;
            url: string | null;
            eventTypes: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
            health: components["schemas"]["WebhookHealth"];
            availableEventTypes: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
            createdAt: string | null;
            updatedAt: string | null;
        };
        WebhookSigningKey: {
            id: string;
            version: number;
            /** @enum {string} */
            status: "active" | "expiring";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
            expiresAt: string | null;
            last4: string;
            /** @description Returned once: by the first list that contains the key, or by the rotation that created it */
            plaintextKey?: string;
        };
        WebhookVerification: {
            delivered: boolean;
            statusCode: number | null;
            error: string | null;
        };
        Window: {
            open: boolean;
            expiresAt: string | null;
            agent: {
                canReply: boolean;
                reason: ("window_closed" | "opted_out" | "inbox_inactive" | "owned_by_user") | null;
            };
            bot: {
                canReply: boolean;
                reason: ("window_closed" | "opted_out" | "inbox_inactive" | "owned_by_user") | null;
            };
            allowedContent: string[];
        };
        WorkflowCatalogue: {
            nodes: {
                type: string;
                kinds: ("journey" | "chatbot")[];
                summary: string;
                /** @description Markdown */
                docs: string;
                /** @description A JSON Schema; references point into `schemas` of this response */
                data: {
                    [key: string]: unknown;
                };
                /** @description Valid data */
                example: {
                    [key: string]: unknown;
                };
                /** @description Outputs of the example. An edge without sourceHandle leaves by the first. */
                outputs: {
                    name: string;
                    summary: string;
                }[];
                /** @description The outputs depend on the data */
                outputsFollowData: boolean;
            }[];
            triggers: {
                type: string;
                kinds: ("journey" | "chatbot")[];
                summary: string;
                /** @description Markdown */
                docs: string;
                /** @description A JSON Schema; references point into `schemas` of this response */
                config: {
                    [key: string]: unknown;
                };
            }[];
            schemas: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        };
        WorkflowDefinition: {
            nodes: components["schemas"]["WorkflowNode"][];
            edges: components["schemas"]["WorkflowEdge"][];
            /** @description React Flow's; stored, without effect */
            viewport?: {
                x: number;
                y: number;
                zoom: number;
            };
        };
        WorkflowDiff: {
            from: string;
            to: string;
            nodes: {
                added: components["schemas"]["WorkflowNode"][];
                removed: components["schemas"]["WorkflowNode"][];
                changed: {
                    id: string;
                    before: components["schemas"]["WorkflowNode"];
                    after: components["schemas"]["WorkflowNode"];
                    /** @description Changed paths, such as data.content.text.body */
                    paths: string[];
                }[];
            };
            edges: {
                added: components["schemas"]["WorkflowEdge"][];
                removed: components["schemas"]["WorkflowEdge"][];
                changed: {
                    id: string;
                    before: components["schemas"]["WorkflowEdge"];
                    after: components["schemas"]["WorkflowEdge"];
                    /** @description Changed paths, such as data.content.text.body */
                    paths: string[];
                }[];
            };
            triggerChanged: boolean;
            entryModeChanged: boolean;
            /** @description Nothing differs except positions and other properties for display */
            same: boolean;
        };
        WorkflowEdge: {
            id: string;
            source: string;
            target: string;
            sourceHandle?: string | null;
            targetHandle?: string | null;
            /** @description React Flow's; stored, without effect */
            type?: unknown;
            /** @description React Flow's; stored, without effect */
            animated?: unknown;
            /** @description React Flow's; stored, without effect */
            hidden?: unknown;
            /** @description React Flow's; stored, without effect */
            selected?: unknown;
            /** @description React Flow's; stored, without effect */
            selectable?: unknown;
            /** @description React Flow's; stored, without effect */
            deletable?: unknown;
            /** @description React Flow's; stored, without effect */
            focusable?: unknown;
            /** @description React Flow's; stored, without effect */
            reconnectable?: unknown;
            /** @description React Flow's; stored, without effect */
            updatable?: unknown;
            /** @description React Flow's; stored, without effect */
            data?: unknown;
            /** @description React Flow's; stored, without effect */
            label?: unknown;
            /** @description React Flow's; stored, without effect */
            labelStyle?: unknown;
            /** @description React Flow's; stored, without effect */
            labelShowBg?: unknown;
            /** @description React Flow's; stored, without effect */
            labelBgStyle?: unknown;
            /** @description React Flow's; stored, without effect */
            labelBgPadding?: unknown;
            /** @description React Flow's; stored, without effect */
            labelBgBorderRadius?: unknown;
            /** @description React Flow's; stored, without effect */
            markerStart?: unknown;
            /** @description React Flow's; stored, without effect */
            markerEnd?: unknown;
            /** @description React Flow's; stored, without effect */
            pathOptions?: unknown;
            /** @description React Flow's; stored, without effect */
            interactionWidth?: unknown;
            /** @description React Flow's; stored, without effect */
            zIndex?: unknown;
            /** @description React Flow's; stored, without effect */
            style?: unknown;
            /** @description React Flow's; stored, without effect */
            className?: unknown;
            /** @description React Flow's; stored, without effect */
            ariaLabel?: unknown;
            /** @description React Flow's; stored, without effect */
            ariaRole?: unknown;
            /** @description React Flow's; stored, without effect */
            domAttributes?: unknown;
        };
        WorkflowNode: {
            id: string;
            type: string;
            /** @description Depends on the type, see GET /workflow-nodes */
            data: {
                [key: string]: unknown;
            };
            position?: {
                x: number;
                y: number;
            };
            /** @description React Flow's; stored, without effect */
            positionAbsolute?: unknown;
            /** @description React Flow's; stored, without effect */
            width?: unknown;
            /** @description React Flow's; stored, without effect */
            height?: unknown;
            /** @description React Flow's; stored, without effect */
            initialWidth?: unknown;
            /** @description React Flow's; stored, without effect */
            initialHeight?: unknown;
            /** @description React Flow's; stored, without effect */
            measured?: unknown;
            /** @description React Flow's; stored, without effect */
            handles?: unknown;
            /** @description React Flow's; stored, without effect */
            selected?: unknown;
            /** @description React Flow's; stored, without effect */
            dragging?: unknown;
            /** @description React Flow's; stored, without effect */
            resizing?: unknown;
            /** @description React Flow's; stored, without effect */
            hidden?: unknown;
            /** @description React Flow's; stored, without effect */
            draggable?: unknown;
            /** @description React Flow's; stored, without effect */
            selectable?: unknown;
            /** @description React Flow's; stored, without effect */
            connectable?: unknown;
            /** @description React Flow's; stored, without effect */
            deletable?: unknown;
            /** @description React Flow's; stored, without effect */
            focusable?: unknown;
            /** @description React Flow's; stored, without effect */
            dragHandle?: unknown;
            /** @description React Flow's; stored, without effect */
            sourcePosition?: unknown;
            /** @description React Flow's; stored, without effect */
            targetPosition?: unknown;
            /** @description React Flow's; stored, without effect */
            parentId?: unknown;
            /** @description React Flow's; stored, without effect */
            parentNode?: unknown;
            /** @description React Flow's; stored, without effect */
            extent?: unknown;
            /** @description React Flow's; stored, without effect */
            expandParent?: unknown;
            /** @description React Flow's; stored, without effect */
            origin?: unknown;
            /** @description React Flow's; stored, without effect */
            zIndex?: unknown;
            /** @description React Flow's; stored, without effect */
            style?: unknown;
            /** @description React Flow's; stored, without effect */
            className?: unknown;
            /** @description React Flow's; stored, without effect */
            ariaLabel?: unknown;
            /** @description React Flow's; stored, without effect */
            ariaRole?: unknown;
            /** @description React Flow's; stored, without effect */
            domAttributes?: unknown;
        };
        WorkflowNodeStats: {
            workflowId: string;
            versionId: string | null;
            /**
             * Format: date
             * @example 2026-01-31
             */
            from: string;
            /**
             * Format: date
             * @example 2026-01-31
             */
            to: string;
            /** @description of the version, otherwise of the draft, and others that runs have entered */
            nodes: {
                nodeId: string;
                entered: number;
                /** @description in progress at the node now, whatever the range */
                waiting: number;
                /** @description by an output, by a jump, or because the run ended there */
                left: number;
                /** @description left, by output */
                passed: {
                    [key: string]: number;
                };
                /** @description runs that failed there */
                failed: number;
                /** @description messages that were refused or failed */
                undelivered: number;
                /** @description from entering to leaving, estimated from counters of durations; null: none left */
                medianStaySeconds: number | null;
            }[];
        };
        WorkflowRun: {
            id: string;
            tenantId: string;
            /** @enum {string} */
            workflowKind: "journey" | "chatbot";
            workflowId: string;
            versionId: string;
            contactId: string;
            conversationId: string | null;
            /** @enum {string} */
            status: "running" | "waiting" | "completed" | "failed" | "cancelled";
            /** @description the current node, or the last one of an ended run */
            nodeId: string;
            event: {
                name: string;
                key: string | null;
                data: {
                    [key: string]: unknown;
                };
            };
            waitingFor: {
                nodeId: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                since: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                until?: string;
                /** @description the next message of the customer */
                message?: boolean;
                /** @description the message that asked; set if a reply is awaited */
                question?: string;
                /** @description the run starts at `until` unless a newer event arrives */
                debounce?: boolean;
                /** @description events and conditions; the first that becomes true ends the wait */
                cases?: {
                    [key: string]: unknown;
                }[];
                /** @description a status change of this message */
                delivery?: string;
                /** @description the end of this run */
                run?: string;
                /** @description the response to an HTTP request */
                http?: boolean;
            } | null;
            /**
             * @description the run continues when a user or key with the rights that its nodes need publishes or activates the workflow
             * @constant
             */
            held?: "publisher_rights_lost";
            endReason: string | null;
            error: {
                code: string;
                message: string;
                nodeId: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            endedAt: string | null;
        };
        WorkflowRunDetail: {
            id: string;
            tenantId: string;
            /** @enum {string} */
            workflowKind: "journey" | "chatbot";
            workflowId: string;
            versionId: string;
            contactId: string;
            conversationId: string | null;
            /** @enum {string} */
            status: "running" | "waiting" | "completed" | "failed" | "cancelled";
            /** @description the current node, or the last one of an ended run */
            nodeId: string;
            event: {
                name: string;
                key: string | null;
                data: {
                    [key: string]: unknown;
                };
            };
            waitingFor: {
                nodeId: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                since: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                until?: string;
                /** @description the next message of the customer */
                message?: boolean;
                /** @description the message that asked; set if a reply is awaited */
                question?: string;
                /** @description the run starts at `until` unless a newer event arrives */
                debounce?: boolean;
                /** @description events and conditions; the first that becomes true ends the wait */
                cases?: {
                    [key: string]: unknown;
                }[];
                /** @description a status change of this message */
                delivery?: string;
                /** @description the end of this run */
                run?: string;
                /** @description the response to an HTTP request */
                http?: boolean;
            } | null;
            /**
             * @description the run continues when a user or key with the rights that its nodes need publishes or activates the workflow
             * @constant
             */
            held?: "publisher_rights_lost";
            endReason: string | null;
            error: {
                code: string;
                message: string;
                nodeId: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            startedAt: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            updatedAt: string;
            endedAt: string | null;
            variables: {
                [key: string]: unknown;
            };
            path: {
                n: number;
                nodeId: string;
                type: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                at: string;
                /** @description the input of the node */
                input: unknown;
                /** @enum {string} */
                outcome: "to" | "wait" | "http" | "jump" | "end" | "fail";
                output: string | null;
                detail: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        WorkflowStatus: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused";
            /** @description Extension: set if the service paused the workflow */
            pauseReason?: {
                /** @constant */
                code: "publisher_rights_lost";
                message: string;
                /** @description Scopes, `role:admin`, or `account:active` if the publisher was disabled or deleted */
                missing: string[];
            };
            revision: number;
        };
        WorkflowValidation: {
            /** @description empty: you could publish it; at most 50 */
            violations: {
                field: string;
                code: string;
                message: string;
            }[];
            /** @description what may not work as intended, once there are no violations */
            warnings: {
                field: string;
                code: string;
                message: string;
            }[];
        };
        Workspace: {
            id: string;
            name: string;
            secondFactorRequired: boolean;
            /** @description a name of the IANA database, such as Europe/Madrid */
            timezone: string;
            /** @description a BCP 47 tag, such as de-CH */
            locale: string;
            businessHours: components["schemas"]["BusinessHours"] | null;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            createdAt: string;
        };
        WorkspaceLogin: {
            tenantId: string;
            accessToken: string;
            /** @constant */
            tokenType: "Bearer";
            /** @description seconds */
            expiresIn: number;
            refreshToken: string;
            user: components["schemas"]["User"];
        };
    };
    responses: {
        /** @description `api_key_not_found`: API key not found */
        ApiKeyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_cross_site`: The session cookie is accepted from pages of this service only */
        AuthCrossSite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_email_taken`: A user with this e-mail address already exists */
        AuthEmailTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_invitation_not_found`: Invitation not found */
        AuthInvitationNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_login_failed`: The e-mail address or the password is wrong */
        AuthLoginFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_oidc_login_unavailable`: This installation has no login through an identity provider: set OIDC_CLIENT_ID */
        AuthOidcLoginUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_password_not_used`: This user logs in through an identity provider and has no password */
        AuthPasswordNotUsed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_refresh_token_invalid`: The refresh token is no longer valid */
        AuthRefreshTokenInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `auth_grant_exceeds_caller`: You cannot grant what you do not hold */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthGrantExceedsCaller: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `auth_grant_exceeds_caller`: You cannot grant what you do not hold; `auth_user_role_assignment_forbidden`: Only owners can change owners */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthGrantExceedsCallerOrAuthUserRoleAssignmentForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `auth_user_required`: This operation is for users, not for service accounts */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `auth_user_required`: This operation is for users, not for service accounts; `auth_password_wrong`: The current password is wrong */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequiredOrAuthPasswordWrong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `auth_user_role_assignment_forbidden`: Only owners can change owners */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRoleAssignmentForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `auth_user_role_assignment_forbidden`: Only owners can change owners; `auth_authz_user_assign_role_denied`: You cannot assign this role */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRoleAssignmentForbiddenOrAuthAuthzUserAssignRoleDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `auth_user_role_assignment_forbidden`: Only owners can change owners; `auth_grant_exceeds_caller`: You cannot grant what you do not hold */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRoleAssignmentForbiddenOrAuthGrantExceedsCaller: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `contact_note_not_yours`: Only the author can change this note */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrContactNoteNotYours: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `note_not_yours`: Only the author can change this note */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrNoteNotYours: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `sharing_forbidden`: Your role does not allow you to change what others share */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_role_missing`: Your role does not allow this operation; `auth_scope_missing`: Your token lacks a required scope; `auth_cross_site`: The session cookie is accepted from pages of this service only; `workflow_rights_missing`: You lack rights that nodes of the workflow need */
        AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrWorkflowRightsMissing: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_second_factor_failed`: The code is not valid */
        AuthSecondFactorFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_second_factor_failed`: The code is not valid; `auth_login_failed`: The e-mail address or the password is wrong */
        AuthSecondFactorFailedOrAuthLoginFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_session_not_found`: Session not found */
        AuthSessionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_signup_closed`: Sign-up is closed on this installation */
        AuthSignupClosed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_tenant_required`: These credentials belong to several workspaces: send tenantId; `auth_second_factor_code_required`: The password is right; this user also needs a code */
        AuthTenantRequiredOrAuthSecondFactorCodeRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_token_invalid`: A valid bearer token is required */
        AuthTokenInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_token_invalid`: A valid bearer token is required; `auth_second_factor_failed`: The code is not valid */
        AuthTokenInvalidOrAuthSecondFactorFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_user_last_owner_required`: A workspace must have at least one enabled owner */
        AuthUserLastOwnerRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `auth_user_not_found`: User not found */
        AuthUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `body_too_large`: The body is too large */
        BodyTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `bulk_action_not_found`: Bulk action not found */
        BulkActionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `callback_handshake_refused`: The verify token does not match */
        CallbackHandshakeRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `callback_signature_invalid`: The signature of the callback is missing or invalid */
        CallbackSignatureInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `campaign_not_deletable`: Unschedule or cancel the campaign first */
        CampaignNotDeletable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `campaign_not_draft`: Only drafts can be changed or scheduled */
        CampaignNotDraft: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `campaign_not_found`: Campaign not found */
        CampaignNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `campaign_not_found`: Campaign not found; `contact_not_found`: Contact not found */
        CampaignNotFoundOrContactNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `chatbot_active`: The chatbot is active */
        ChatbotActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `chatbot_not_found`: Chatbot not found */
        ChatbotNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `chatbot_not_found`: Chatbot not found; `chatbot_version_not_found`: Chatbot version not found */
        ChatbotNotFoundOrChatbotVersionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `chatbot_not_found`: Chatbot not found; `contact_not_found`: Contact not found */
        ChatbotNotFoundOrContactNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `chatbot_scope_taken`: An active chatbot could never be reached */
        ChatbotScopeTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `chatbot_version_not_found`: Chatbot version not found */
        ChatbotVersionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `contact_import_not_found`: Import not found */
        ContactImportNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `contact_not_found`: Contact not found */
        ContactNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `contact_not_found`: Contact not found; `contact_note_not_found`: Note not found */
        ContactNotFoundOrContactNoteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `contact_not_found`: Contact not found; `custom_field_not_found`: Custom field not found */
        ContactNotFoundOrCustomFieldNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `contact_not_found`: Contact not found; `tag_not_found`: Tag not found */
        ContactNotFoundOrTagNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `contact_phone_taken`: Another contact already has this phone number */
        ContactPhoneTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `conversation_closed`: The conversation is closed */
        ConversationClosed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `conversation_not_found`: Conversation not found */
        ConversationNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `conversation_not_found`: Conversation not found; `label_not_found`: Label not found */
        ConversationNotFoundOrLabelNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `custom_field_name_taken`: A custom field with this name already exists; `custom_field_predefined`: Predefined custom fields cannot be renamed or deleted */
        CustomFieldNameTakenOrCustomFieldPredefined: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `custom_field_not_found`: Custom field not found */
        CustomFieldNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `custom_field_predefined`: Predefined custom fields cannot be renamed or deleted */
        CustomFieldPredefined: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `draft_conflict`: The draft has changed since you read it */
        DraftConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `events_not_kept`: Events after this number are no longer kept, or the number was never assigned */
        EventsNotKept: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `headers_too_large`: The request headers are too large */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight */
        IdempotencyKeyInUse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `auth_password_not_used`: This user logs in through an identity provider and has no password; `auth_second_factor_not_enabled`: The second factor is not enabled; `auth_second_factor_mandatory`: The workspace requires a second factor */
        IdempotencyKeyInUseOrAuthPasswordNotUsedOrAuthSecondFactorNotEnabledOrAuthSecondFactorMandatory: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `bulk_undo_expired`: The time in which the action can be undone is over */
        IdempotencyKeyInUseOrBulkUndoExpired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `campaign_not_cancellable`: Only scheduled, sending or paused campaigns can be cancelled */
        IdempotencyKeyInUseOrCampaignNotCancellable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `campaign_not_draft`: Only drafts can be changed or scheduled */
        IdempotencyKeyInUseOrCampaignNotDraft: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `campaign_not_paused`: The campaign is not paused */
        IdempotencyKeyInUseOrCampaignNotPaused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `campaign_not_scheduled`: The campaign is not scheduled, or its dispatch has started */
        IdempotencyKeyInUseOrCampaignNotScheduled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `campaign_not_sending`: The campaign is not being sent */
        IdempotencyKeyInUseOrCampaignNotSending: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `chatbot_changed`: The chatbot was changed while it was being published; `chatbot_scope_taken`: An active chatbot could never be reached */
        IdempotencyKeyInUseOrChatbotChangedOrChatbotScopeTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `chatbot_not_active`: The chatbot is not active */
        IdempotencyKeyInUseOrChatbotNotActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `chatbot_not_published`: The chatbot has no published version; `chatbot_active`: The chatbot is active; `chatbot_publisher_rights_lost`: The publisher of the chatbot no longer has the rights that its nodes need; `chatbot_scope_taken`: An active chatbot could never be reached */
        IdempotencyKeyInUseOrChatbotNotPublishedOrChatbotActiveOrChatbotPublisherRightsLostOrChatbotScopeTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `chatbot_not_published`: The chatbot has no published version; `chatbot_publisher_rights_lost`: The publisher of the chatbot no longer has the rights that its nodes need; `contact_phone_taken`: Another contact already has this phone number */
        IdempotencyKeyInUseOrChatbotNotPublishedOrChatbotPublisherRightsLostOrContactPhoneTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `contact_already_archived`: The contact is already archived */
        IdempotencyKeyInUseOrContactAlreadyArchived: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `contact_not_archived`: The contact is not archived */
        IdempotencyKeyInUseOrContactNotArchived: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `contact_phone_taken`: Another contact already has this phone number */
        IdempotencyKeyInUseOrContactPhoneTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `conversation_inbox_deleted`: The inbox of the conversation was disconnected */
        IdempotencyKeyInUseOrConversationInboxDeleted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `custom_field_name_taken`: A custom field with this name already exists */
        IdempotencyKeyInUseOrCustomFieldNameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `idempotency_secret_consumed`: The first response with this Idempotency-Key contained a secret that is shown once */
        IdempotencyKeyInUseOrIdempotencySecretConsumed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `idempotency_secret_consumed`: The first response with this Idempotency-Key contained a secret that is shown once; `auth_email_taken`: A user with this e-mail address already exists */
        IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthEmailTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `idempotency_secret_consumed`: The first response with this Idempotency-Key contained a secret that is shown once; `auth_password_not_used`: This user logs in through an identity provider and has no password; `auth_second_factor_enabled`: The second factor is already enabled */
        IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthPasswordNotUsedOrAuthSecondFactorEnabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `idempotency_secret_consumed`: The first response with this Idempotency-Key contained a secret that is shown once; `auth_password_not_used`: This user logs in through an identity provider and has no password; `auth_second_factor_not_enabled`: The second factor is not enabled */
        IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthPasswordNotUsedOrAuthSecondFactorNotEnabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `idempotency_secret_consumed`: The first response with this Idempotency-Key contained a secret that is shown once; `auth_second_factor_enabled`: The second factor is already enabled */
        IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthSecondFactorEnabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `idempotency_secret_consumed`: The first response with this Idempotency-Key contained a secret that is shown once; `auth_user_disabled`: The user is disabled; `auth_password_not_used`: This user logs in through an identity provider and has no password */
        IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthUserDisabledOrAuthPasswordNotUsed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `idempotency_secret_consumed`: The first response with this Idempotency-Key contained a secret that is shown once; `webhook_signing_key_missing`: No signing key exists; list the signing keys to create the first one */
        IdempotencyKeyInUseOrIdempotencySecretConsumedOrWebhookSigningKeyMissing: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `inbox_already_connected`: One of the numbers or accounts is already connected; `inbox_provider_refused`: The provider rejected the credentials */
        IdempotencyKeyInUseOrInboxAlreadyConnectedOrInboxProviderRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `inbox_provider_refused`: The provider rejected the credentials */
        IdempotencyKeyInUseOrInboxProviderRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `journey_changed`: The journey was changed while it was being published */
        IdempotencyKeyInUseOrJourneyChanged: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `journey_not_active`: The journey is not active */
        IdempotencyKeyInUseOrJourneyNotActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `journey_not_active`: The journey is not active; `journey_entry_refused`: The contact cannot enter the journey */
        IdempotencyKeyInUseOrJourneyNotActiveOrJourneyEntryRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `journey_not_published`: The journey has no published version; `journey_active`: The journey is active; `journey_publisher_rights_lost`: The publisher of the journey no longer has the rights that its nodes need */
        IdempotencyKeyInUseOrJourneyNotPublishedOrJourneyActiveOrJourneyPublisherRightsLost: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `journey_not_published`: The journey has no published version; `journey_publisher_rights_lost`: The publisher of the journey no longer has the rights that its nodes need; `contact_phone_taken`: Another contact already has this phone number */
        IdempotencyKeyInUseOrJourneyNotPublishedOrJourneyPublisherRightsLostOrContactPhoneTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `label_name_taken`: A label with this name already exists; `label_limit_reached`: There are too many labels */
        IdempotencyKeyInUseOrLabelNameTakenOrLabelLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `macro_limit_reached`: There are too many macros */
        IdempotencyKeyInUseOrMacroLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `message_not_retryable`: The message cannot be sent again */
        IdempotencyKeyInUseOrMessageNotRetryable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `reactions_unsupported`: The channel of this message has no reactions */
        IdempotencyKeyInUseOrReactionsUnsupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `run_ended`: The run has ended */
        IdempotencyKeyInUseOrRunEnded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `run_not_failed`: The run has not failed; `run_conflict`: Another run of the contact is in progress, and the entry mode allows one at a time */
        IdempotencyKeyInUseOrRunNotFailedOrRunConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `saved_reply_shortcut_taken`: A saved reply with this shortcut already exists; `saved_reply_limit_reached`: There are too many saved replies */
        IdempotencyKeyInUseOrSavedReplyShortcutTakenOrSavedReplyLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `tag_name_taken`: A tag with this name already exists */
        IdempotencyKeyInUseOrTagNameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `team_name_taken`: A team with this name already exists */
        IdempotencyKeyInUseOrTeamNameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `view_limit_reached`: There are too many views */
        IdempotencyKeyInUseOrViewLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `webhook_endpoint_limit`: The workspace has as many webhook endpoints as allowed */
        IdempotencyKeyInUseOrWebhookEndpointLimit: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `webhook_not_enabled`: The webhook is not enabled */
        IdempotencyKeyInUseOrWebhookNotEnabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `webhook_not_enabled`: The webhook is not enabled; `webhook_event_not_kept`: The event has expired or was a test event */
        IdempotencyKeyInUseOrWebhookNotEnabledOrWebhookEventNotKept: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_in_use`: The first request with this Idempotency-Key is still in flight; `webhook_signing_key_active`: The active signing key cannot be revoked; rotate it first */
        IdempotencyKeyInUseOrWebhookSigningKeyActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused`: The Idempotency-Key was used with a different request */
        IdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `inbox_not_found`: Inbox not found */
        InboxNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `inbox_not_found`: Inbox not found; `sandbox_off`: The sandbox is off, or this inbox does not use it */
        InboxNotFoundOrSandboxOff: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `inbox_provider_refused`: The provider rejected the credentials */
        InboxProviderRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `inbox_provider_unavailable`: The provider is unavailable; try again later; `service_unavailable`: The service is temporarily unavailable */
        InboxProviderUnavailableOrServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `inbox_resource_not_found`: Resource not found at the provider, or not granted to this workspace */
        InboxResourceNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal_error`: Internal error */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `journey_active`: The journey is active */
        JourneyActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `journey_not_found`: Journey not found */
        JourneyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `journey_not_found`: Journey not found; `contact_not_found`: Contact not found */
        JourneyNotFoundOrContactNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `journey_not_found`: Journey not found; `journey_version_not_found`: Journey version not found */
        JourneyNotFoundOrJourneyVersionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `journey_not_found`: Journey not found; `segment_not_found`: Segment not found */
        JourneyNotFoundOrSegmentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `journey_version_not_found`: Journey version not found */
        JourneyVersionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `label_limit_reached`: There are too many labels */
        LabelLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `label_name_taken`: A label with this name already exists */
        LabelNameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `label_not_found`: Label not found */
        LabelNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `macro_limit_reached`: There are too many macros */
        MacroLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `macro_not_found`: Macro not found */
        MacroNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `media_not_found`: Media not found */
        MediaNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `media_range_not_satisfiable`: Range not satisfiable */
        MediaRangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `media_url_invalid`: This URL is invalid or has expired */
        MediaUrlInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `message_not_cancellable`: The message can no longer be cancelled */
        MessageNotCancellable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `message_not_found`: Message not found */
        MessageNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `message_not_found`: Message not found; `reaction_not_found`: Reaction not found */
        MessageNotFoundOrReactionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `message_not_scheduled`: The message is not scheduled */
        MessageNotScheduled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `note_not_found`: Note not found */
        NoteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_failed`: The resource has changed since you read it */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition_required`: If-Match is required */
        PreconditionRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `recipient_not_found`: Recipient not found */
        RecipientNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_timeout`: The request did not arrive in time */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `run_not_found`: Run not found */
        RunNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `sandbox_off`: The sandbox is off, or this inbox does not use it */
        SandboxOff: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `saved_reply_not_found`: Saved reply not found */
        SavedReplyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `saved_reply_not_found`: Saved reply not found; `conversation_not_found`: Conversation not found */
        SavedReplyNotFoundOrConversationNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `saved_reply_shortcut_taken`: A saved reply with this shortcut already exists; `saved_reply_limit_reached`: There are too many saved replies */
        SavedReplyShortcutTakenOrSavedReplyLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `secret_not_found`: Secret not found */
        SecretNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `segment_in_use`: A scheduled campaign uses the segment */
        SegmentInUse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `segment_not_found`: Segment not found */
        SegmentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `segment_not_found`: Segment not found; `contact_not_found`: Contact not found */
        SegmentNotFoundOrContactNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `service_account_not_found`: Service account not found */
        ServiceAccountNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `service_unavailable`: The service is temporarily unavailable */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `storage_full`: There is no space left for the file */
        StorageFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `tag_name_taken`: A tag with this name already exists */
        TagNameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `tag_not_found`: Tag not found */
        TagNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `team_in_use`: The team is used by an inbox, a bot or an open conversation */
        TeamInUse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `team_name_taken`: A team with this name already exists */
        TeamNameTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `team_not_found`: Team not found */
        TeamNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `team_not_found`: Team not found; `auth_user_not_found`: User not found */
        TeamNotFoundOrAuthUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_many_requests`: Too many requests */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type`: The content type is not supported */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `url_too_long`: The URL is too long */
        UrlTooLong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed */
        ValidationFailedOrMalformedUrl: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `invalid_page_token`: The page token does not belong to this query */
        ValidationFailedOrMalformedUrlOrInvalidPageToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `invalid_page_token`: The page token does not belong to this query; `inbox_channel_mismatch`: The inbox belongs to another channel */
        ValidationFailedOrMalformedUrlOrInvalidPageTokenOrInboxChannelMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `invalid_page_token`: The page token does not belong to this query; `malformed_body`: The body is malformed */
        ValidationFailedOrMalformedUrlOrInvalidPageTokenOrMalformedBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `malformed_body`: The body is malformed */
        ValidationFailedOrMalformedUrlOrMalformedBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `malformed_body`: The body is malformed; `auth_invitation_invalid`: The invitation is unknown, used or expired */
        ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthInvitationInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `malformed_body`: The body is malformed; `auth_password_reset_invalid`: The token is unknown, used or expired */
        ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthPasswordResetInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `malformed_body`: The body is malformed; `auth_user_invalid_role`: The role must be owner, admin or agent; `auth_user_self_role_change_forbidden`: You cannot change your own role */
        ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserInvalidRoleOrAuthUserSelfRoleChangeForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `malformed_body`: The body is malformed; `auth_user_self_disable_forbidden`: You cannot disable your own account */
        ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserSelfDisableForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `malformed_body`: The body is malformed; `auth_user_self_password_reset_forbidden`: You cannot reset your own password */
        ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserSelfPasswordResetForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_url`: The URL is malformed; `malformed_body`: The body is malformed; `auth_user_self_second_factor_removal_forbidden`: You cannot remove your own second factor as an administrator */
        ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserSelfSecondFactorRemovalForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `view_limit_reached`: There are too many views */
        ViewLimitReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `view_not_found`: View not found */
        ViewNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `webhook_attempt_not_found`: Attempt not found */
        WebhookAttemptNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `webhook_endpoint_not_found`: Webhook endpoint not found */
        WebhookEndpointNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description `webhook_signing_key_not_found`: Signing key not found, or it has expired or was revoked */
        WebhookSigningKeyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "sam@example.com",
                 *       "password": "plum-Harbor-42-lantern"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @example sam@example.com
                     */
                    email: string;
                    password: string;
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Sets the session cookie */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthLoginFailed"];
            403: components["responses"]["AuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AuthTenantRequiredOrAuthSecondFactorCodeRequired"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completeBrowserLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challenge": "replace-with-the-challenge-of-the-login",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": {
                    challenge: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description Sets the session cookie */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthSecondFactorFailedOrAuthLoginFailed"];
            403: components["responses"]["AuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endCurrentSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes the session cookie */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOwnSessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuthSession"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            404: components["responses"]["AuthSessionNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startOidcLogin: {
        parameters: {
            query?: {
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to the identity provider */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            404: components["responses"]["AuthOidcLoginUnavailable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completeOidcLogin: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sets the session cookie and redirects to the page of the login */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            404: components["responses"]["AuthOidcLoginUnavailable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "sam@example.com",
                 *       "password": "plum-Harbor-42-lantern"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @example sam@example.com
                     */
                    email: string;
                    password: string;
                    tenantId?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthLoginFailed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AuthTenantRequiredOrAuthSecondFactorCodeRequired"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refreshToken": "prt_replace-with-your-refresh-token"
                 *     }
                 */
                "application/json": {
                    refreshToken: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthRefreshTokenInvalid"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Harbor Lights",
                 *       "owner": {
                 *         "name": "Sam Harbor",
                 *         "email": "sam@example.com",
                 *         "password": "plum-Harbor-42-lantern"
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    owner: {
                        name: string;
                        /**
                         * Format: email
                         * @example sam@example.com
                         */
                        email: string;
                        password: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceLogin"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            403: components["responses"]["AuthSignupClosed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "inv_replace-with-the-token-of-the-invitation",
                 *       "name": "Kim Ng",
                 *       "password": "plum-Harbor-42-lantern"
                 *     }
                 */
                "application/json": {
                    token: string;
                    name: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthInvitationInvalid"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AuthEmailTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "pwr_replace-with-the-one-time-token",
                 *       "password": "quiet-Maple-77-compass"
                 *     }
                 */
                "application/json": {
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthPasswordResetInvalid"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        users: components["schemas"]["User"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentUser"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sam Harbor",
                 *       "avatarUrl": "https://example.com/sam.png"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    avatarUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current": "plum-Harbor-42-lantern",
                 *       "new": "quiet-Maple-77-compass"
                 *     }
                 */
                "application/json": {
                    current: string;
                    new: string;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequiredOrAuthPasswordWrong"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AuthPasswordNotUsed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["AuthUserNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teamIds": [
                 *         "team_01k4xq7d9hfk3b0m6a7yz2c5rh"
                 *       ],
                 *       "disabled": false
                 *     }
                 */
                "application/json": {
                    teamIds?: string[];
                    disabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserSelfDisableForbidden"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRoleAssignmentForbidden"];
            404: components["responses"]["AuthUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AuthUserLastOwnerRequired"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeUserRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "admin" | "agent";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserInvalidRoleOrAuthUserSelfRoleChangeForbidden"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRoleAssignmentForbiddenOrAuthAuthzUserAssignRoleDenied"];
            404: components["responses"]["AuthUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AuthUserLastOwnerRequired"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Invitation"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "kim@example.com",
                 *       "role": "agent",
                 *       "teamIds": [
                 *         "team_01k4xq7d9hfk3b0m6a7yz2c5rh"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @example sam@example.com
                     */
                    email: string;
                    /** @enum {string} */
                    role: "owner" | "admin" | "agent";
                    teamIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitation: components["schemas"]["Invitation"];
                        token: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthGrantExceedsCallerOrAuthUserRoleAssignmentForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthEmailTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["AuthInvitationNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renewInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitation: components["schemas"]["Invitation"];
                        token: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthGrantExceedsCallerOrAuthUserRoleAssignmentForbidden"];
            404: components["responses"]["AuthInvitationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthEmailTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                        /**
                         * Format: date-time
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserSelfPasswordResetForbidden"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRoleAssignmentForbiddenOrAuthGrantExceedsCaller"];
            404: components["responses"]["AuthUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthUserDisabledOrAuthPasswordNotUsed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                action?: string;
                actorId?: string;
                targetId?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTeams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        teams: components["schemas"]["Team"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Billing"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrTeamNameTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["TeamNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["TeamInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renameTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Accounts"
                 *     }
                 */
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["TeamNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["TeamNameTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["TeamNotFoundOrAuthUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["TeamNotFoundOrAuthUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        serviceAccounts: components["schemas"]["ServiceAccount"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "CRM connector",
                 *       "description": "Synchronizes contacts",
                 *       "role": "agent",
                 *       "scopes": [
                 *         "contact:list",
                 *         "contact:read"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    description?: string;
                    /** @enum {string} */
                    role?: "admin" | "agent";
                    scopes?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthGrantExceedsCaller"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ServiceAccountNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "CRM connector",
                 *       "isActive": true,
                 *       "scopes": [
                 *         "contact:list"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name?: string;
                    description?: string | null;
                    /** @description false: its keys are refused until it is true again */
                    isActive?: boolean;
                    scopes?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthGrantExceedsCaller"];
            404: components["responses"]["ServiceAccountNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        apiKeys: components["schemas"]["ApiKey"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ServiceAccountNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        apiKey: components["schemas"]["ApiKey"];
                        key: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthGrantExceedsCaller"];
            404: components["responses"]["ServiceAccountNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ApiKeyNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        scopes: components["schemas"]["Scope"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completeLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "challenge": "replace-with-the-challenge-of-the-login",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": {
                    challenge: string;
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthSecondFactorFailed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        enabled: boolean;
                        enabledAt: string | null;
                        recoveryCodesLeft: number;
                        /** @description the workspace requires a second factor */
                        required: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "plum-Harbor-42-lantern"
                 *     }
                 */
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        secret?: string;
                        uri?: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequiredOrAuthPasswordWrong"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthPasswordNotUsedOrAuthSecondFactorEnabled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recoveryCodes?: string[];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalidOrAuthSecondFactorFailed"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthSecondFactorEnabled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "plum-Harbor-42-lantern"
                 *     }
                 */
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recoveryCodes?: string[];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequiredOrAuthPasswordWrong"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumedOrAuthPasswordNotUsedOrAuthSecondFactorNotEnabled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "plum-Harbor-42-lantern"
                 *     }
                 */
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequiredOrAuthPasswordWrong"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrAuthPasswordNotUsedOrAuthSecondFactorNotEnabledOrAuthSecondFactorMandatory"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBodyOrAuthUserSelfSecondFactorRemovalForbidden"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRoleAssignmentForbiddenOrAuthGrantExceedsCaller"];
            404: components["responses"]["AuthUserNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Harbor Lights",
                 *       "timezone": "Europe/Madrid",
                 *       "locale": "es",
                 *       "businessHours": [
                 *         {
                 *           "days": [
                 *             "mon",
                 *             "tue",
                 *             "wed",
                 *             "thu",
                 *             "fri"
                 *           ],
                 *           "from": "09:00",
                 *           "to": "18:00"
                 *         },
                 *         {
                 *           "days": [
                 *             "sat"
                 *           ],
                 *           "from": "10:00",
                 *           "to": "14:00"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    name?: string;
                    secondFactorRequired?: boolean;
                    /** @description a name of the IANA database, such as Europe/Madrid */
                    timezone?: string;
                    /** @description a BCP 47 tag, such as de-CH */
                    locale?: string;
                    businessHours?: components["schemas"]["BusinessHours"] | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replacePreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "theme": "dark",
                 *       "sounds": {
                 *         "message": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Preferences"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAvailability: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        availability: components["schemas"]["Availability"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setAvailability: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "busy"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status: "online" | "away" | "busy";
                    /**
                     * Format: date-time
                     * @description online from then on
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Availability"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                search?: string;
                customFields?: {
                    [key: string]: string;
                };
                tagIds?: string[];
                channels?: ("chatapp" | "socialapp" | "sms")[];
                archived?: boolean;
                createdAfter?: string;
                createdBefore?: string;
                orderBy?: "createdAt" | "updatedAt" | "name" | "lastInteractionAt";
                orderDirection?: "asc" | "desc";
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contacts: components["schemas"]["Contact"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "phone": "+14155550132"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @example +14155550100 */
                    phone?: string;
                    /** @description values by field name; an empty value clears the field */
                    customFields?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrContactPhoneTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDuplicateContacts: {
        parameters: {
            query?: {
                by?: "email" | "name";
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups: components["schemas"]["DuplicateContacts"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada King"
                 *     }
                 */
                "application/json": {
                    name?: string | null;
                    phone?: string | null;
                    /** @description extension; an empty value clears */
                    customFields?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ContactPhoneTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    archiveContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrContactAlreadyArchived"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unarchiveContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrContactNotArchived"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setContactCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contactId: string;
                customFieldId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "gold"
                 *     }
                 */
                "application/json": {
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFoundOrCustomFieldNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addContactTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                contactId: string;
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFoundOrTagNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeContactTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contactId: string;
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFoundOrTagNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    optOutContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                channel: "chatapp" | "socialapp" | "sms";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeContactOptOut: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                channel: "chatapp" | "socialapp" | "sms";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContactNotes: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        notes: components["schemas"]["ContactNote"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createContactNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Prefers to be called in the afternoon"
                 *     }
                 */
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactNote"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteContactNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                noteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrContactNoteNotYours"];
            404: components["responses"]["ContactNotFoundOrContactNoteNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateContactNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                noteId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Prefers to be called in the morning"
                 *     }
                 */
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactNote"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrContactNoteNotYours"];
            404: components["responses"]["ContactNotFoundOrContactNoteNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description CSV with a header; at most 1 GiB and 2,000,000 rows
                     */
                    file: string;
                    /**
                     * @description extension: validates the file without writing contacts
                     * @enum {string}
                     */
                    dryRun?: "true" | "false";
                    /**
                     * @description extension: creates a text custom field for each unknown column
                     * @enum {string}
                     */
                    createFields?: "true" | "false";
                    /** @description extension: a JSON array with what each column of the file becomes: `name`, `phone`, `contactId`, `tags`, `field:` and the id of a custom field, `new:` and the name of a custom field (needs `createFields`), or `skip` */
                    mapping?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        importId: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["StorageFull"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewContactImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImportPreview"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContactImports: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        imports: components["schemas"]["ContactImportSummary"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContactImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImport"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactImportNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                archived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tags: components["schemas"]["Tag"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "VIP"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrTagNameTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["TagNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "VIP customer",
                 *       "color": "#2b59c3"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    color?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["TagNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["TagNameTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContactCustomFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        customFields: components["schemas"]["CustomField"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createContactCustomField: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Plan",
                 *       "type": "text"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    type: "text" | "date";
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrCustomFieldNameTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteContactCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CustomFieldNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CustomFieldPredefined"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renameContactCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tariff",
                 *       "type": "text"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    type: "text" | "date";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CustomFieldNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CustomFieldNameTakenOrCustomFieldPredefined"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPropertyCustomFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        customFields: components["schemas"]["CustomField"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPropertyCustomField: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Plan",
                 *       "type": "text"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    type: "text" | "date";
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrCustomFieldNameTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePropertyCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CustomFieldNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CustomFieldPredefined"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renamePropertyCustomField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Tariff",
                 *       "type": "text"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    type: "text" | "date";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CustomFieldNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CustomFieldNameTakenOrCustomFieldPredefined"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInboxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        inboxes: components["schemas"]["Inbox"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createInboxes: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chatapp": {
                 *         "resourceIds": [
                 *           "5551"
                 *         ],
                 *         "phoneNumberIds": [
                 *           "5550100"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateInboxRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        inboxes: components["schemas"]["Inbox"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrInboxAlreadyConnectedOrInboxProviderRefused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["InboxProviderUnavailableOrServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateInbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Support",
                 *       "businessHours": [
                 *         {
                 *           "days": [
                 *             "mon",
                 *             "tue",
                 *             "wed",
                 *             "thu",
                 *             "fri"
                 *           ],
                 *           "from": "09:00",
                 *           "to": "18:00"
                 *         }
                 *       ],
                 *       "greeting": "Thank you for your message. We reply shortly.",
                 *       "away": "We are closed now and reply from 9 o'clock."
                 *     }
                 */
                "application/json": {
                    name?: string;
                    businessHours?: components["schemas"]["BusinessHours"] | null;
                    greeting?: string | null;
                    away?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkInbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxCheck"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setInboxTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teamId": "team_01k4xq7d9hfk3b0m6a7yz2c5rh"
                 *     }
                 */
                "application/json": {
                    teamId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeInboxTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setInboxCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "authToken": "token-of-your-account"
                 *     }
                 */
                "application/json": {
                    authToken: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["InboxProviderRefused"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    registerInbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        templates: components["schemas"]["ChatappTemplate"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageTokenOrInboxChannelMismatch"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            409: components["responses"]["InboxProviderRefused"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["InboxProviderUnavailableOrServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFlows: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        flows: components["schemas"]["ChatappFlow"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageTokenOrInboxChannelMismatch"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            409: components["responses"]["InboxProviderRefused"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["InboxProviderUnavailableOrServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSocialMedia: {
        parameters: {
            query?: {
                mediaTypes?: ("post" | "reel" | "story")[];
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                inboxId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        media: components["schemas"]["SocialMedia"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageTokenOrInboxChannelMismatch"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            409: components["responses"]["InboxProviderRefused"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["InboxProviderUnavailableOrServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChatappPhoneNumbers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wabaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        phoneNumbers: components["schemas"]["ChatappPhoneNumber"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxResourceNotFound"];
            409: components["responses"]["InboxProviderRefused"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["InboxProviderUnavailableOrServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSmsPhoneNumbers: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                accountSid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "authToken": "token-of-your-account"
                 *     }
                 */
                "application/json": {
                    authToken: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pendingCredentialId: string;
                        phoneNumbers: components["schemas"]["SmsPhoneNumber"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxResourceNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrInboxProviderRefused"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["InboxProviderUnavailableOrServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyChatappWebhook: {
        parameters: {
            query?: {
                "hub.mode"?: string;
                "hub.challenge"?: string;
                "hub.verify_token"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge as plain text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            403: components["responses"]["CallbackHandshakeRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveChatappWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["CallbackSignatureInvalid"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifySocialappWebhook: {
        parameters: {
            query?: {
                "hub.mode"?: string;
                "hub.challenge"?: string;
                "hub.verify_token"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge as plain text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            403: components["responses"]["CallbackHandshakeRefused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveSocialappWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["CallbackSignatureInvalid"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContactConversations: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        conversations: components["schemas"]["Conversation"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mergeContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "intoContactId": "con_01k4xq7d9hfk3b0m6a7yz2c5re"
                 *     }
                 */
                "application/json": {
                    intoContactId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchMessages: {
        parameters: {
            query: {
                q: string;
                type?: "message" | "note";
                inboxId?: string;
                senderType?: "user" | "customer" | "bot" | "journey" | "campaign" | "service";
                after?: string;
                before?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["MessageSearchResult"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient": {
                 *         "type": "phone",
                 *         "phoneNumber": "+14155550132"
                 *       },
                 *       "inboxId": "ibx_01k4xq7d9hfk3b0m6a7yz2c5rf",
                 *       "content": {
                 *         "type": "text",
                 *         "text": {
                 *           "body": "Hello from Parley"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    recipient: components["schemas"]["MessageRecipient"];
                    content: components["schemas"]["OutboundMessageContent"];
                    inboxId?: string;
                    contexts?: components["schemas"]["SendMessageContext"][];
                    clientMessageId?: string;
                    /**
                     * Format: date-time
                     * @description extension: send later, within a year; needs a conversation with the recipient
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    sendAt?: string;
                    /** @description extension: the revision of your draft that this completes; a newer draft stays. Without it, any draft of yours is deleted */
                    draftRevision?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: components["schemas"]["Message"];
                        conversation: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["RecipientNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: components["schemas"]["Message"];
                        conversation: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["MessageNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["MessageNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["MessageNotCancellable"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rescheduleMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sendAt": "2027-03-01T09:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    sendAt: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: components["schemas"]["Message"];
                        conversation: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["MessageNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["MessageNotScheduled"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reactToMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emoji": "👍"
                 *     }
                 */
                "application/json": {
                    emoji: string;
                    removed?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reaction: components["schemas"]["Reaction"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["MessageNotFoundOrReactionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrReactionsUnsupported"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadMedia: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description an image (at most 5 MiB), audio or video (16 MiB), or a document (100 MiB)
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaUpload"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            507: components["responses"]["StorageFull"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMedia: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                mediaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["MediaNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    downloadMedia: {
        parameters: {
            query?: {
                tenant?: string;
                variant?: string;
                expires?: string;
                signature?: string;
            };
            header?: never;
            path: {
                mediaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The ETag in If-None-Match is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            403: components["responses"]["MediaUrlInvalid"];
            414: components["responses"]["UrlTooLong"];
            416: components["responses"]["MediaRangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                interacted?: boolean;
                search?: string;
                status?: ("open" | "closed")[];
                ownerType?: ("user" | "team" | "bot" | "none")[];
                ownerId?: string;
                teamId?: string;
                contactId?: string;
                inboxId?: string;
                channel?: ("chatapp" | "socialapp" | "sms")[];
                labelIds?: string[];
                priority?: ("low" | "medium" | "high" | "urgent" | "none")[];
                unread?: boolean;
                snoozed?: boolean;
                waiting?: boolean;
                createdAfter?: string;
                createdBefore?: string;
                updatedAfter?: string;
                updatedBefore?: string;
                conversationIds?: string[];
                sort?: "lastMessageAt" | "createdAt" | "updatedAt" | "name" | "waitingSince";
                orderDirection?: "asc" | "desc";
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        conversations: components["schemas"]["Conversation"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchConversations: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "status": [
                 *           "open"
                 *         ],
                 *         "ownerId": "none",
                 *         "priority": [
                 *           "high",
                 *           "urgent"
                 *         ]
                 *       },
                 *       "sort": {
                 *         "field": "waitingSince"
                 *       },
                 *       "limit": 20
                 *     }
                 */
                "application/json": {
                    filter: components["schemas"]["ConversationFilter"];
                    sort?: {
                        /**
                         * @description `waitingSince` is an extension: it lists conversations in which the customer waits, and no others
                         * @enum {string}
                         */
                        field: "lastMessageAt" | "createdAt" | "updatedAt" | "name" | "waitingSince";
                        /**
                         * @description default: desc; for `waitingSince` asc, the longest wait first
                         * @enum {string}
                         */
                        direction?: "asc" | "desc";
                    };
                    /** @description default 50, at most 200 */
                    limit?: number;
                    cursor?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Conversation"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageTokenOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countConversations: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filters": [
                 *         {
                 *           "status": [
                 *             "open"
                 *           ],
                 *           "ownerId": "me"
                 *         },
                 *         {
                 *           "unread": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    filters: components["schemas"]["ConversationFilter"][];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description in the order of the filters */
                        counts: {
                            count: number;
                            /** @description true: there are more than 10000 */
                            approximate: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startBulkAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "status": [
                 *           "open"
                 *         ],
                 *         "ownerId": "none"
                 *       },
                 *       "action": {
                 *         "type": "close"
                 *       }
                 *     }
                 */
                "application/json": {
                    ids?: string[];
                    filter?: {
                        /** @description true: with at least one message of the customer; false: without any */
                        interacted?: boolean;
                        /** @description part of the name or external id */
                        search?: string;
                        status?: ("open" | "closed")[];
                        ownerType?: ("user" | "team" | "bot" | "none")[];
                        /** @description extension: a user, team or chatbot; `me`; `none` for conversations without an owner */
                        ownerId?: string;
                        /** @description extension: the team of the conversation; `none` for conversations without a team */
                        teamId?: string;
                        /** @description extension */
                        contactId?: string;
                        /** @description extension: the inbox of the latest session */
                        inboxId?: string;
                        /** @description extension: any of them */
                        channel?: ("chatapp" | "socialapp" | "sms")[];
                        /** @description extension: any of them */
                        labelIds?: string[];
                        /** @description extension: any of them */
                        priority?: ("low" | "medium" | "high" | "urgent" | "none")[];
                        /** @description extension: true: open, with messages that you have not read, and owned by you, one of your teams or nobody, as the unread counters count them; false: all others */
                        unread?: boolean;
                        /** @description extension */
                        snoozed?: boolean;
                        /** @description extension: true: the customer waits for the reply of a person */
                        waiting?: boolean;
                        /**
                         * Format: date-time
                         * @description extension: inclusive
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        createdAfter?: string;
                        /**
                         * Format: date-time
                         * @description extension: exclusive
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        createdBefore?: string;
                        /**
                         * Format: date-time
                         * @description extension: inclusive; a message, a new status, owner, team or contact updates a conversation
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        updatedAfter?: string;
                        /**
                         * Format: date-time
                         * @description extension: exclusive
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        updatedBefore?: string;
                    };
                    action: components["schemas"]["ConversationAction"];
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAction"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBulkAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAction"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["BulkActionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBulkItems: {
        parameters: {
            query?: {
                result?: ("pending" | "changed" | "unchanged" | "failed" | "cancelled")[];
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["BulkItem"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["BulkActionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undoBulkAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAction"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["BulkActionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrBulkUndoExpired"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationWithWindow"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConversationMessages: {
        parameters: {
            query?: {
                around?: string;
                direction?: "older" | "newer";
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: components["schemas"]["Message"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replyToConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": {
                 *         "type": "text",
                 *         "text": {
                 *           "body": "Hello from Parley"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    content: components["schemas"]["OutboundMessageContent"];
                    inboxId?: string;
                    contexts?: components["schemas"]["SendMessageContext"][];
                    clientMessageId?: string;
                    /**
                     * Format: date-time
                     * @description extension: send later, within a year; needs a conversation with the recipient
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    sendAt?: string;
                    /** @description extension: the revision of your draft that this completes; a newer draft stays. Without it, any draft of yours is deleted */
                    draftRevision?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: components["schemas"]["Message"];
                        conversation: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reassignConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "usr_01k4xq7d9hfk3b0m6a7yz2c5rg"
                 *     }
                 */
                "application/json": {
                    userId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    relinkConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contactId": "con_01k4xq7d9hfk3b0m6a7yz2c5re"
                 *     }
                 */
                "application/json": {
                    contactId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markConversationRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "lastMessageId": "msg_01k4xq7d9hfk3b0m6a7yz2c5rm"
                 *     }
                 */
                "application/json": {
                    lastMessageId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markConversationUnread: {
        parameters: {
            query?: {
                from?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    closeConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setConversationOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "user",
                 *       "id": "usr_01k4xq7d9hfk3b0m6a7yz2c5rg"
                 *     }
                 */
                "application/json": components["schemas"]["OwnerRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reopenConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrConversationInboxDeleted"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    snoozeConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "untilReply": true
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    until?: string;
                    /** @description true: until the customer writes */
                    untilReply?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConversationClosed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    wakeConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setConversationPriority: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "priority": "high"
                 *     }
                 */
                "application/json": {
                    priority: ("low" | "medium" | "high" | "urgent") | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLabels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        labels: components["schemas"]["Label"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLabel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Billing",
                 *       "color": "#2b59c3"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /**
                     * @description grey by default
                     * @example #2b59c3
                     */
                    color?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Label"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrLabelNameTakenOrLabelLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["LabelNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "color": "#176b3a"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @example #2b59c3 */
                    color?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Label"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["LabelNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LabelNameTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addConversationLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                labelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFoundOrLabelNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LabelLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeConversationLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                labelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFoundOrLabelNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveSmsWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                inboxId: string;
                kind: "inbound" | "status";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["CallbackSignatureInvalid"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUnreadCount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUnreadSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        conversations: number;
                        version: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Waiting for the warehouse, @Sam please follow up",
                 *       "mentions": [
                 *         "usr_01k4xq7d9hfk3b0m6a7yz2c5rg"
                 *       ]
                 *     }
                 */
                "application/json": {
                    text: string;
                    /** @description ids of users who can see the conversation */
                    mentions?: string[];
                    /** @description uploaded files */
                    mediaIds?: string[];
                    /** @description extension: the revision of your draft that this completes; a newer draft stays. Without it, any draft of yours is deleted */
                    draftRevision?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrNoteNotYours"];
            404: components["responses"]["NoteNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "The warehouse has answered"
                 *     }
                 */
                "application/json": {
                    text?: string;
                    /** @description ids of users who can see the conversation */
                    mentions?: string[];
                    /** @description uploaded files */
                    mediaIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Note"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrNoteNotYours"];
            404: components["responses"]["NoteNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDrafts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        drafts: components["schemas"]["Draft"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDraft: {
        parameters: {
            query?: {
                kind?: "reply" | "note";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        draft: components["schemas"]["Draft"] | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            404: components["responses"]["ConversationNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    saveDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "reply",
                 *       "content": {
                 *         "text": "Thank you for"
                 *       },
                 *       "revision": 0
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    kind: "reply" | "note";
                    content: {
                        text: string;
                        /** @description uploaded files */
                        mediaIds?: string[];
                        /** @description users, for a note */
                        mentions?: string[];
                        /** @description the message that the reply quotes */
                        messageId?: string;
                    };
                    /** @description the revision that you read; 0 if there was no draft */
                    revision: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DraftConflict"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    discardDraft: {
        parameters: {
            query?: {
                kind?: "reply" | "note";
                revision?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            404: components["responses"]["ConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["DraftConflict"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getConversationTimeline: {
        parameters: {
            query?: {
                around?: string;
                direction?: "older" | "newer";
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["TimelineItem"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: components["schemas"]["Message"];
                        conversation: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["MessageNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrMessageNotRetryable"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScheduledMessages: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: components["schemas"]["Message"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ConversationNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInboxHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxHealth"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportOverview: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                groupBy?: "day" | "hourOfDay" | "inbox" | "team" | "user";
                inboxId?: string;
                teamId?: string;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportOverview"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSavedReplies: {
        parameters: {
            query?: {
                search?: string;
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        savedReplies: components["schemas"]["SavedReply"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSavedReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "shortcut": "hours",
                 *       "text": "Hi {{contact.firstName | default: \"there\"}}, we are open from 9 to 17. {{user.firstName}}"
                 *     }
                 */
                "application/json": {
                    /** @description without spaces; unique among your own or among the shared ones */
                    shortcut: string;
                    /** @description may have placeholders such as `{{contact.firstName | default: "there"}}`: `contact` (name, firstName, email, phone, customFields), `user` (name, firstName, email), `workspace.name`, `conversation.channel` */
                    text?: string;
                    /** @description uploaded files; each is sent as a message */
                    mediaIds?: string[];
                    /**
                     * @description who sees it: only you (default), teams, or everyone
                     * @enum {string}
                     */
                    scope?: "me" | "team" | "workspace";
                    /** @description required for the scope team */
                    teamIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReply"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrSavedReplyShortcutTakenOrSavedReplyLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSavedReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            404: components["responses"]["SavedReplyNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSavedReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "We are open from 9 to 18."
                 *     }
                 */
                "application/json": {
                    /** @description without spaces; unique among your own or among the shared ones */
                    shortcut?: string;
                    /** @description may have placeholders such as `{{contact.firstName | default: "there"}}`: `contact` (name, firstName, email, phone, customFields), `user` (name, firstName, email), `workspace.name`, `conversation.channel` */
                    text?: string;
                    /** @description uploaded files; each is sent as a message */
                    mediaIds?: string[];
                    /**
                     * @description who sees it: only you (default), teams, or everyone
                     * @enum {string}
                     */
                    scope?: "me" | "team" | "workspace";
                    /** @description required for the scope team */
                    teamIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedReply"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            404: components["responses"]["SavedReplyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SavedReplyShortcutTakenOrSavedReplyLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renderSavedReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conversationId": "cnv_01k4xq7d9hfk3b0m6a7yz2c5rc"
                 *     }
                 */
                "application/json": {
                    conversationId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        text: string;
                        mediaIds: string[];
                        /** @description placeholders without a value and without a default; they are empty in the text */
                        missing: string[];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SavedReplyNotFoundOrConversationNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        views: components["schemas"]["View"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Waiting for me",
                 *       "filter": {
                 *         "ownerId": "me",
                 *         "waiting": true,
                 *         "status": [
                 *           "open"
                 *         ]
                 *       },
                 *       "sort": {
                 *         "field": "waitingSince",
                 *         "direction": "asc"
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    filter: components["schemas"]["ConversationFilter"];
                    sort?: components["schemas"]["ConversationSort"] | null;
                    /** @description orders views that a user has not arranged; smaller ones come first */
                    position?: number;
                    /**
                     * @description who sees it: only you (default), teams, or everyone
                     * @enum {string}
                     */
                    scope?: "me" | "team" | "workspace";
                    /** @description required for the scope team */
                    teamIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrViewLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            404: components["responses"]["ViewNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Waiting"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    filter?: {
                        /** @description true: with at least one message of the customer; false: without any */
                        interacted?: boolean;
                        /** @description part of the name or external id */
                        search?: string;
                        status?: ("open" | "closed")[];
                        ownerType?: ("user" | "team" | "bot" | "none")[];
                        /** @description extension: a user, team or chatbot; `me`; `none` for conversations without an owner */
                        ownerId?: string;
                        /** @description extension: the team of the conversation; `none` for conversations without a team */
                        teamId?: string;
                        /** @description extension */
                        contactId?: string;
                        /** @description extension: the inbox of the latest session */
                        inboxId?: string;
                        /** @description extension: any of them */
                        channel?: ("chatapp" | "socialapp" | "sms")[];
                        /** @description extension: any of them */
                        labelIds?: string[];
                        /** @description extension: any of them */
                        priority?: ("low" | "medium" | "high" | "urgent" | "none")[];
                        /** @description extension: true: open, with messages that you have not read, and owned by you, one of your teams or nobody, as the unread counters count them; false: all others */
                        unread?: boolean;
                        /** @description extension */
                        snoozed?: boolean;
                        /** @description extension: true: the customer waits for the reply of a person */
                        waiting?: boolean;
                        /**
                         * Format: date-time
                         * @description extension: inclusive
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        createdAfter?: string;
                        /**
                         * Format: date-time
                         * @description extension: exclusive
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        createdBefore?: string;
                        /**
                         * Format: date-time
                         * @description extension: inclusive; a message, a new status, owner, team or contact updates a conversation
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        updatedAfter?: string;
                        /**
                         * Format: date-time
                         * @description extension: exclusive
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        updatedBefore?: string;
                    };
                    sort?: components["schemas"]["ConversationSort"] | null;
                    /** @description orders views that a user has not arranged; smaller ones come first */
                    position?: number;
                    /**
                     * @description who sees it: only you (default), teams, or everyone
                     * @enum {string}
                     */
                    scope?: "me" | "team" | "workspace";
                    /** @description required for the scope team */
                    teamIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            404: components["responses"]["ViewNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ViewLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    arrangeViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "viewIds": []
                 *     }
                 */
                "application/json": {
                    viewIds: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMacros: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        macros: components["schemas"]["Macro"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createMacro: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Thank and close",
                 *       "actions": [
                 *         {
                 *           "type": "reply",
                 *           "text": "Thank you, {{contact.firstName | default: \"see you soon\"}}!"
                 *         },
                 *         {
                 *           "type": "setPriority",
                 *           "priority": null
                 *         },
                 *         {
                 *           "type": "close"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description run in this order */
                    actions: components["schemas"]["MacroAction"][];
                    /**
                     * @description who sees it: only you (default), teams, or everyone
                     * @enum {string}
                     */
                    scope?: "me" | "team" | "workspace";
                    /** @description required for the scope team */
                    teamIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Macro"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrMacroLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMacro: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            404: components["responses"]["MacroNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateMacro: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Close"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @description run in this order */
                    actions?: components["schemas"]["MacroAction"][];
                    /**
                     * @description who sees it: only you (default), teams, or everyone
                     * @enum {string}
                     */
                    scope?: "me" | "team" | "workspace";
                    /** @description required for the scope team */
                    teamIds?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Macro"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrSharingForbidden"];
            404: components["responses"]["MacroNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["MacroLimitReached"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runMacro: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conversationIds": [
                 *         "cnv_01k4xq7d9hfk3b0m6a7yz2c5rc"
                 *       ]
                 *     }
                 */
                "application/json": {
                    conversationIds: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["MacroResult"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["MacroNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                unread?: boolean;
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        notifications: components["schemas"]["Notification"][];
                        /** @description at most 1000 */
                        unreadCount: number;
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description these only; without it, all */
                    ids?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceNotificationPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mention": true,
                 *       "assignment": true,
                 *       "message": false
                 *     }
                 */
                "application/json": components["schemas"]["NotificationPreferences"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countContacts: {
        parameters: {
            query?: {
                archived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        totalSize: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "match": "all",
                 *         "conditions": [
                 *           {
                 *             "type": "searchText",
                 *             "text": "ada"
                 *           }
                 *         ]
                 *       },
                 *       "sort": {
                 *         "field": "createdAt",
                 *         "direction": "desc"
                 *       },
                 *       "limit": 20
                 *     }
                 */
                "application/json": {
                    filter: components["schemas"]["ContactFilter"];
                    sort?: {
                        /** @enum {string} */
                        field: "createdAt" | "updatedAt" | "name" | "lastInteractionAt";
                        /** @enum {string} */
                        direction?: "asc" | "desc";
                    };
                    /** @description default 50, at most 200 */
                    limit?: number;
                    cursor?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ContactSummary"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageTokenOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countSearchedContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "match": "all",
                 *         "conditions": [
                 *           {
                 *             "type": "searchText",
                 *             "text": "ada"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    filter: components["schemas"]["ContactFilter"];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        totalSize: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Segment"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "New customers",
                 *       "description": "Created this year",
                 *       "filter": {
                 *         "match": "all",
                 *         "conditions": [
                 *           {
                 *             "type": "searchText",
                 *             "text": "ada"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    filter: components["schemas"]["ContactFilter"];
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read: the response is a 304 while it is current. */
                "If-None-Match"?: string;
            };
            path: {
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            /** @description The ETag in If-None-Match is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SegmentNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag you last read. */
                "If-Match": string;
            };
            path: {
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SegmentNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["SegmentInUse"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag you last read. */
                "If-Match": string;
            };
            path: {
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Customers of this year"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    description?: string | null;
                    filter?: {
                        /**
                         * @description any is an extension
                         * @enum {string}
                         */
                        match: "all" | "any";
                        /** @description at most 20 conditions, those of groups included; groups are an extension */
                        conditions: (components["schemas"]["ContactCondition"] | components["schemas"]["ContactFilterGroup"])[];
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SegmentNotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchSegmentContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "match": "all",
                 *         "conditions": []
                 *       }
                 *     }
                 */
                "application/json": {
                    filter: components["schemas"]["ContactFilter"];
                    sort?: {
                        /** @enum {string} */
                        field: "createdAt" | "updatedAt" | "name" | "lastInteractionAt";
                        /** @enum {string} */
                        direction?: "asc" | "desc";
                    };
                    /** @description default 50, at most 200 */
                    limit?: number;
                    cursor?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ContactSummary"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageTokenOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SegmentNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countSegmentContacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                segmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        totalSize: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SegmentNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainSegmentContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                segmentId: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentExplanation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SegmentNotFoundOrContactNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                status?: "draft" | "scheduled" | "sending" | "paused" | "sent" | "failed" | "cancelled";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Campaign"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale"
                 *     }
                 */
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read: the response is a 304 while it is current. */
                "If-None-Match"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description The ETag in If-None-Match is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CampaignNotDeletable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "segmentId": "seg_01k4xq7d9hfk3b0m6a7yz2c5rk",
                 *       "inboxId": "ibx_01k4xq7d9hfk3b0m6a7yz2c5rf",
                 *       "content": {
                 *         "type": "text",
                 *         "text": {
                 *           "body": "Hello {{contact.name | default: \"friend\"}}"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    name?: string;
                    segmentId?: string | null;
                    inboxId?: string | null;
                    content?: components["schemas"]["OutboundMessageContent"] | null;
                    sendRate?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["CampaignNotDraft"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    duplicateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale again"
                 *     }
                 */
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    scheduleCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sendAt": "now"
                 *     }
                 */
                "application/json": {
                    /** @description `now`, or an RFC 3339 timestamp with any offset */
                    sendAt: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrCampaignNotDraft"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unscheduleCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrCampaignNotScheduled"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCampaignAnalytics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignAnalytics"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                status?: "pending" | "sent" | "delivered" | "read" | "failed" | "skipped";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CampaignRecipient"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportCampaignRecipients: {
        parameters: {
            query?: {
                status?: "pending" | "sent" | "delivered" | "read" | "failed" | "skipped";
            };
            header?: never;
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrCampaignNotSending"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrCampaignNotPaused"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrCampaignNotCancellable"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contactId": "con_01k4xq7d9hfk3b0m6a7yz2c5re"
                 *     }
                 */
                "application/json": {
                    contactId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPreview"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFoundOrContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contactId": "con_01k4xq7d9hfk3b0m6a7yz2c5re"
                 *     }
                 */
                "application/json": {
                    contactId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: components["schemas"]["Message"];
                        conversation: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFoundOrContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    estimateCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEstimate"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["CampaignNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listJourneys: {
        parameters: {
            query?: {
                search?: string;
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        journeys: components["schemas"]["Journey"][];
                        nextPageToken: string | null;
                        totalSize: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "definition": {
                 *         "nodes": [
                 *           {
                 *             "id": "start",
                 *             "type": "start",
                 *             "data": {
                 *               "triggerConfig": {
                 *                 "type": "contact_created"
                 *               },
                 *               "entryMode": "once"
                 *             }
                 *           }
                 *         ],
                 *         "edges": []
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    definition?: {
                        nodes: components["schemas"]["WorkflowNode"][];
                        edges: {
                            id?: string;
                            source: string;
                            target: string;
                            sourceHandle?: string | null;
                            targetHandle?: string | null;
                            /** @description React Flow's; stored, without effect */
                            type?: unknown;
                            /** @description React Flow's; stored, without effect */
                            animated?: unknown;
                            /** @description React Flow's; stored, without effect */
                            hidden?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selected?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            deletable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            focusable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            reconnectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            updatable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            data?: unknown;
                            /** @description React Flow's; stored, without effect */
                            label?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelShowBg?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgPadding?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgBorderRadius?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerStart?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerEnd?: unknown;
                            /** @description React Flow's; stored, without effect */
                            pathOptions?: unknown;
                            /** @description React Flow's; stored, without effect */
                            interactionWidth?: unknown;
                            /** @description React Flow's; stored, without effect */
                            zIndex?: unknown;
                            /** @description React Flow's; stored, without effect */
                            style?: unknown;
                            /** @description React Flow's; stored, without effect */
                            className?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaLabel?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaRole?: unknown;
                            /** @description React Flow's; stored, without effect */
                            domAttributes?: unknown;
                        }[];
                        /** @description React Flow's; stored, without effect */
                        viewport?: {
                            x: number;
                            y: number;
                            zoom: number;
                        };
                    };
                    /** @description The trigger; further properties depend on its type, see GET /workflow-nodes */
                    triggerConfig?: {
                        type: string;
                        /** @description `{}`, or a ContactFilter */
                        conditions?: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    entryMode?: "once" | "once_active" | "every_time" | "cooldown";
                    cooldown?: {
                        for: components["schemas"]["Duration"];
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read: the response is a 304 while it is current. */
                "If-None-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            /** @description The ETag in If-None-Match is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["JourneyActive"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome back"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    definition?: {
                        nodes: components["schemas"]["WorkflowNode"][];
                        edges: {
                            id?: string;
                            source: string;
                            target: string;
                            sourceHandle?: string | null;
                            targetHandle?: string | null;
                            /** @description React Flow's; stored, without effect */
                            type?: unknown;
                            /** @description React Flow's; stored, without effect */
                            animated?: unknown;
                            /** @description React Flow's; stored, without effect */
                            hidden?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selected?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            deletable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            focusable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            reconnectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            updatable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            data?: unknown;
                            /** @description React Flow's; stored, without effect */
                            label?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelShowBg?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgPadding?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgBorderRadius?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerStart?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerEnd?: unknown;
                            /** @description React Flow's; stored, without effect */
                            pathOptions?: unknown;
                            /** @description React Flow's; stored, without effect */
                            interactionWidth?: unknown;
                            /** @description React Flow's; stored, without effect */
                            zIndex?: unknown;
                            /** @description React Flow's; stored, without effect */
                            style?: unknown;
                            /** @description React Flow's; stored, without effect */
                            className?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaLabel?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaRole?: unknown;
                            /** @description React Flow's; stored, without effect */
                            domAttributes?: unknown;
                        }[];
                        /** @description React Flow's; stored, without effect */
                        viewport?: {
                            x: number;
                            y: number;
                            zoom: number;
                        };
                    };
                    /** @description The trigger; further properties depend on its type, see GET /workflow-nodes */
                    triggerConfig?: {
                        type: string;
                        /** @description `{}`, or a ContactFilter */
                        conditions?: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    entryMode?: "once" | "once_active" | "every_time" | "cooldown";
                    cooldown?: {
                        for: components["schemas"]["Duration"];
                    };
                    /** @description Extension: 412 unless it is the current revision, like `If-Match` */
                    revision?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    publishJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Greets customers by name"
                 *     }
                 */
                "application/json": {
                    /** @description Extension: what has changed; shown with the version */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyVersion"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrWorkflowRightsMissing"];
            404: components["responses"]["JourneyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrJourneyChanged"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrJourneyNotPublishedOrJourneyActiveOrJourneyPublisherRightsLost"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrJourneyNotActive"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listJourneyVersions: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        journeyVersions: components["schemas"]["JourneyVersion"][];
                        nextPageToken: string | null;
                        totalSize: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJourneyVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyVersion"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyVersionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compareJourneyVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                a: string;
                b: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDiff"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFoundOrJourneyVersionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreJourneyVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFoundOrJourneyVersionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    duplicateJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome again"
                 *     }
                 */
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journey"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    validateJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "definition": {
                 *         "nodes": [
                 *           {
                 *             "id": "start",
                 *             "type": "start",
                 *             "data": {
                 *               "triggerConfig": {
                 *                 "type": "contact_created"
                 *               },
                 *               "entryMode": "once"
                 *             }
                 *           }
                 *         ],
                 *         "edges": []
                 *       }
                 *     }
                 */
                "application/json": {
                    definition?: {
                        nodes: components["schemas"]["WorkflowNode"][];
                        edges: {
                            id?: string;
                            source: string;
                            target: string;
                            sourceHandle?: string | null;
                            targetHandle?: string | null;
                            /** @description React Flow's; stored, without effect */
                            type?: unknown;
                            /** @description React Flow's; stored, without effect */
                            animated?: unknown;
                            /** @description React Flow's; stored, without effect */
                            hidden?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selected?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            deletable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            focusable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            reconnectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            updatable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            data?: unknown;
                            /** @description React Flow's; stored, without effect */
                            label?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelShowBg?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgPadding?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgBorderRadius?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerStart?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerEnd?: unknown;
                            /** @description React Flow's; stored, without effect */
                            pathOptions?: unknown;
                            /** @description React Flow's; stored, without effect */
                            interactionWidth?: unknown;
                            /** @description React Flow's; stored, without effect */
                            zIndex?: unknown;
                            /** @description React Flow's; stored, without effect */
                            style?: unknown;
                            /** @description React Flow's; stored, without effect */
                            className?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaLabel?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaRole?: unknown;
                            /** @description React Flow's; stored, without effect */
                            domAttributes?: unknown;
                        }[];
                        /** @description React Flow's; stored, without effect */
                        viewport?: {
                            x: number;
                            y: number;
                            zoom: number;
                        };
                    };
                    /** @description The trigger; further properties depend on its type, see GET /workflow-nodes */
                    triggerConfig?: {
                        type: string;
                        /** @description `{}`, or a ContactFilter */
                        conditions?: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    entryMode?: "once" | "once_active" | "every_time" | "cooldown";
                    cooldown?: {
                        for: components["schemas"]["Duration"];
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowValidation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJourneyStats: {
        parameters: {
            query?: {
                versionId?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowNodeStats"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFoundOrJourneyVersionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    simulateJourney: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "contact": {
                 *         "name": "Ada"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Default draft
                     * @enum {string}
                     */
                    version?: "draft" | "published";
                    contactId?: string;
                    /** @description a temporary contact, instead of contactId */
                    contact?: {
                        name?: string;
                        /** @example +14155550100 */
                        phone?: string;
                        /** @description values by field name; an empty value clears the field */
                        customFields?: {
                            [key: string]: string;
                        };
                    };
                    /** @description tags that the contact has */
                    tagIds?: string[];
                    /** @description values of the contact, also of an existing one */
                    customFields?: {
                        [key: string]: string;
                    };
                    optOuts?: ("chatapp" | "socialapp" | "sms")[];
                    /**
                     * @description the messaging window: as the provider applies it (default), always open, or closed until the customer writes
                     * @enum {string}
                     */
                    window?: "real" | "open" | "closed";
                    /** @description failed deliveries by node id; default: delivered */
                    deliveries?: {
                        [key: string]: {
                            /** @description code of the delivery error, such as recipient_unreachable */
                            failed: string;
                        };
                    };
                    event?: {
                        name: string;
                        key?: string;
                        data?: {
                            [key: string]: unknown;
                        };
                    };
                    /** @description the first message of the customer */
                    message?: string;
                    inputs?: {
                        /** @description after the previous input; default 5, so that each is a reply of its own */
                        afterSeconds?: number;
                        message?: string;
                        replyId?: string;
                        /** @description the message is a file with `message` as its caption */
                        media?: boolean;
                        event?: {
                            name: string;
                            key?: string;
                            data?: {
                                [key: string]: unknown;
                            };
                        };
                        /** @description tags that the contact has */
                        tagIds?: string[];
                        /** @description values of the contact, also of an existing one */
                        customFields?: {
                            [key: string]: string;
                        };
                        optOuts?: ("chatapp" | "socialapp" | "sms")[];
                    }[];
                    /** @description HTTP responses by node id; default: 200 with {} */
                    http?: {
                        [key: string]: {
                            /** @description Default 200 */
                            status?: number;
                            body?: unknown;
                            /** @description no response in time */
                            timeout?: boolean;
                            /** @description code of an error, such as connection_refused */
                            error?: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrWorkflowRightsMissing"];
            404: components["responses"]["JourneyNotFoundOrContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrJourneyNotPublishedOrJourneyPublisherRightsLostOrContactPhoneTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listJourneyRuns: {
        parameters: {
            query?: {
                status?: "running" | "waiting" | "completed" | "failed" | "cancelled";
                contactId?: string;
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["WorkflowRun"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startJourneyRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contactId": "con_01k4xq7d9hfk3b0m6a7yz2c5re",
                 *       "data": {
                 *         "source": "web"
                 *       }
                 *     }
                 */
                "application/json": {
                    contactId: string;
                    /** @description the run reads it as event.data; at most 32 KiB */
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFoundOrContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrJourneyNotActiveOrJourneyEntryRefused"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChatbotRuns: {
        parameters: {
            query?: {
                status?: "running" | "waiting" | "completed" | "failed" | "cancelled";
                contactId?: string;
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["WorkflowRun"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                status?: "running" | "waiting" | "completed" | "failed" | "cancelled";
                contactId?: string;
                workflowId?: string;
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["WorkflowRun"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContactRuns: {
        parameters: {
            query?: {
                status?: "running" | "waiting" | "completed" | "failed" | "cancelled";
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["WorkflowRun"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelRuns: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contactId": "con_01k4xq7d9hfk3b0m6a7yz2c5re"
                 *     }
                 */
                "application/json": {
                    workflowId?: string;
                    contactId?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cancelled: number;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJourneyAnalytics: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JourneyAnalytics"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    enrollSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "segmentId": "seg_01k4xq7d9hfk3b0m6a7yz2c5rk"
                 *     }
                 */
                "application/json": {
                    segmentId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        journeyId: string;
                        segmentId: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFoundOrSegmentNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrJourneyNotActive"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainJourneyEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryExplanation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["JourneyNotFoundOrContactNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRunDetail"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["RunNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["RunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrRunEnded"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowRun"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["RunNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrRunNotFailedOrRunConflict"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                since?: number;
                eventTypes?: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["PublicEvent"][];
                        /** @description the number up to which events were read */
                        nextSince: number;
                        /** @description the number of the newest event */
                        latest: number;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            410: components["responses"]["EventsNotKept"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "cart.updated",
                 *       "contactId": "con_01k4xq7d9hfk3b0m6a7yz2c5re",
                 *       "key": "cart-42",
                 *       "data": {
                 *         "items": 3
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @example cart.updated */
                    name: string;
                    contactId?: string;
                    /** @description instead of contactId */
                    phone?: string;
                    /** @description instead of contactId: creates or updates the contact with this phone number */
                    contact?: {
                        name?: string;
                        /** @example +14155550100 */
                        phone?: string;
                        /** @description values by field name; an empty value clears the field */
                        customFields?: {
                            [key: string]: string;
                        };
                    };
                    /** @description identifies the subject, such as a cart */
                    key?: string;
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contactId: string;
                        name: string;
                        key: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrContactPhoneTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    orderChatbots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chatbotIds": [
                 *         "bot_01k4xq7d9hfk3b0m6a7yz2c5rn"
                 *       ]
                 *     }
                 */
                "application/json": {
                    chatbotIds: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chatbotIds: string[];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ChatbotScopeTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChatbots: {
        parameters: {
            query?: {
                search?: string;
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chatbots: components["schemas"]["Chatbot"][];
                        nextPageToken: string | null;
                        totalSize: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "draft": {
                 *         "nodes": [
                 *           {
                 *             "id": "start",
                 *             "type": "start",
                 *             "data": {}
                 *           }
                 *         ],
                 *         "edges": []
                 *       },
                 *       "teamIds": []
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description Empty: all teams, after the bots of the team itself, and conversations without a team */
                    teamIds?: string[];
                    draft?: {
                        nodes: components["schemas"]["WorkflowNode"][];
                        edges: {
                            id?: string;
                            source: string;
                            target: string;
                            sourceHandle?: string | null;
                            targetHandle?: string | null;
                            /** @description React Flow's; stored, without effect */
                            type?: unknown;
                            /** @description React Flow's; stored, without effect */
                            animated?: unknown;
                            /** @description React Flow's; stored, without effect */
                            hidden?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selected?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            deletable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            focusable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            reconnectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            updatable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            data?: unknown;
                            /** @description React Flow's; stored, without effect */
                            label?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelShowBg?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgPadding?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgBorderRadius?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerStart?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerEnd?: unknown;
                            /** @description React Flow's; stored, without effect */
                            pathOptions?: unknown;
                            /** @description React Flow's; stored, without effect */
                            interactionWidth?: unknown;
                            /** @description React Flow's; stored, without effect */
                            zIndex?: unknown;
                            /** @description React Flow's; stored, without effect */
                            style?: unknown;
                            /** @description React Flow's; stored, without effect */
                            className?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaLabel?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaRole?: unknown;
                            /** @description React Flow's; stored, without effect */
                            domAttributes?: unknown;
                        }[];
                        /** @description React Flow's; stored, without effect */
                        viewport?: {
                            x: number;
                            y: number;
                            zoom: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chatbot"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read: the response is a 304 while it is current. */
                "If-None-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chatbot"];
                };
            };
            /** @description The ETag in If-None-Match is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ChatbotActive"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome back"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @description Empty: all teams, after the bots of the team itself, and conversations without a team */
                    teamIds?: string[];
                    draft?: {
                        nodes: components["schemas"]["WorkflowNode"][];
                        edges: {
                            id?: string;
                            source: string;
                            target: string;
                            sourceHandle?: string | null;
                            targetHandle?: string | null;
                            /** @description React Flow's; stored, without effect */
                            type?: unknown;
                            /** @description React Flow's; stored, without effect */
                            animated?: unknown;
                            /** @description React Flow's; stored, without effect */
                            hidden?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selected?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            deletable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            focusable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            reconnectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            updatable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            data?: unknown;
                            /** @description React Flow's; stored, without effect */
                            label?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelShowBg?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgPadding?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgBorderRadius?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerStart?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerEnd?: unknown;
                            /** @description React Flow's; stored, without effect */
                            pathOptions?: unknown;
                            /** @description React Flow's; stored, without effect */
                            interactionWidth?: unknown;
                            /** @description React Flow's; stored, without effect */
                            zIndex?: unknown;
                            /** @description React Flow's; stored, without effect */
                            style?: unknown;
                            /** @description React Flow's; stored, without effect */
                            className?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaLabel?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaRole?: unknown;
                            /** @description React Flow's; stored, without effect */
                            domAttributes?: unknown;
                        }[];
                        /** @description React Flow's; stored, without effect */
                        viewport?: {
                            x: number;
                            y: number;
                            zoom: number;
                        };
                    };
                    /** @description Extension: 412 unless it is the current revision, like `If-Match` */
                    revision?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chatbot"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ChatbotScopeTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    publishChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Greets customers by name"
                 *     }
                 */
                "application/json": {
                    /** @description Extension: what has changed; shown with the version */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatbotVersion"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrWorkflowRightsMissing"];
            404: components["responses"]["ChatbotNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrChatbotChangedOrChatbotScopeTaken"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chatbot"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrChatbotNotPublishedOrChatbotActiveOrChatbotPublisherRightsLostOrChatbotScopeTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chatbot"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrChatbotNotActive"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChatbotVersions: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chatbotVersions: components["schemas"]["ChatbotVersion"][];
                        nextPageToken: string | null;
                        totalSize: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getChatbotVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatbotVersion"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotVersionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compareChatbotVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                a: string;
                b: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDiff"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFoundOrChatbotVersionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreChatbotVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag you last read. */
                "If-Match"?: string;
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    /** @description The revision, in quotes. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chatbot"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFoundOrChatbotVersionNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    duplicateChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome again"
                 *     }
                 */
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chatbot"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    validateChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "draft": {
                 *         "nodes": [
                 *           {
                 *             "id": "start",
                 *             "type": "start",
                 *             "data": {}
                 *           }
                 *         ],
                 *         "edges": []
                 *       }
                 *     }
                 */
                "application/json": {
                    draft?: {
                        nodes: components["schemas"]["WorkflowNode"][];
                        edges: {
                            id?: string;
                            source: string;
                            target: string;
                            sourceHandle?: string | null;
                            targetHandle?: string | null;
                            /** @description React Flow's; stored, without effect */
                            type?: unknown;
                            /** @description React Flow's; stored, without effect */
                            animated?: unknown;
                            /** @description React Flow's; stored, without effect */
                            hidden?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selected?: unknown;
                            /** @description React Flow's; stored, without effect */
                            selectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            deletable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            focusable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            reconnectable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            updatable?: unknown;
                            /** @description React Flow's; stored, without effect */
                            data?: unknown;
                            /** @description React Flow's; stored, without effect */
                            label?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelShowBg?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgStyle?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgPadding?: unknown;
                            /** @description React Flow's; stored, without effect */
                            labelBgBorderRadius?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerStart?: unknown;
                            /** @description React Flow's; stored, without effect */
                            markerEnd?: unknown;
                            /** @description React Flow's; stored, without effect */
                            pathOptions?: unknown;
                            /** @description React Flow's; stored, without effect */
                            interactionWidth?: unknown;
                            /** @description React Flow's; stored, without effect */
                            zIndex?: unknown;
                            /** @description React Flow's; stored, without effect */
                            style?: unknown;
                            /** @description React Flow's; stored, without effect */
                            className?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaLabel?: unknown;
                            /** @description React Flow's; stored, without effect */
                            ariaRole?: unknown;
                            /** @description React Flow's; stored, without effect */
                            domAttributes?: unknown;
                        }[];
                        /** @description React Flow's; stored, without effect */
                        viewport?: {
                            x: number;
                            y: number;
                            zoom: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowValidation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getChatbotStats: {
        parameters: {
            query?: {
                versionId?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowNodeStats"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ChatbotNotFoundOrChatbotVersionNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    simulateChatbot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "contact": {
                 *         "name": "Ada"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Default draft
                     * @enum {string}
                     */
                    version?: "draft" | "published";
                    contactId?: string;
                    /** @description a temporary contact, instead of contactId */
                    contact?: {
                        name?: string;
                        /** @example +14155550100 */
                        phone?: string;
                        /** @description values by field name; an empty value clears the field */
                        customFields?: {
                            [key: string]: string;
                        };
                    };
                    /** @description tags that the contact has */
                    tagIds?: string[];
                    /** @description values of the contact, also of an existing one */
                    customFields?: {
                        [key: string]: string;
                    };
                    optOuts?: ("chatapp" | "socialapp" | "sms")[];
                    /**
                     * @description the messaging window: as the provider applies it (default), always open, or closed until the customer writes
                     * @enum {string}
                     */
                    window?: "real" | "open" | "closed";
                    /** @description failed deliveries by node id; default: delivered */
                    deliveries?: {
                        [key: string]: {
                            /** @description code of the delivery error, such as recipient_unreachable */
                            failed: string;
                        };
                    };
                    event?: {
                        name: string;
                        key?: string;
                        data?: {
                            [key: string]: unknown;
                        };
                    };
                    /** @description the first message of the customer */
                    message?: string;
                    inputs?: {
                        /** @description after the previous input; default 5, so that each is a reply of its own */
                        afterSeconds?: number;
                        message?: string;
                        replyId?: string;
                        /** @description the message is a file with `message` as its caption */
                        media?: boolean;
                        event?: {
                            name: string;
                            key?: string;
                            data?: {
                                [key: string]: unknown;
                            };
                        };
                        /** @description tags that the contact has */
                        tagIds?: string[];
                        /** @description values of the contact, also of an existing one */
                        customFields?: {
                            [key: string]: string;
                        };
                        optOuts?: ("chatapp" | "socialapp" | "sms")[];
                    }[];
                    /** @description HTTP responses by node id; default: 200 with {} */
                    http?: {
                        [key: string]: {
                            /** @description Default 200 */
                            status?: number;
                            body?: unknown;
                            /** @description no response in time */
                            timeout?: boolean;
                            /** @description code of an error, such as connection_refused */
                            error?: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrWorkflowRightsMissing"];
            404: components["responses"]["ChatbotNotFoundOrContactNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrChatbotNotPublishedOrChatbotPublisherRightsLostOrContactPhoneTaken"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWorkflowNodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowCatalogue"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        secrets: components["schemas"]["Secret"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "key-of-your-service"
                 *     }
                 */
                "application/json": {
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SecretNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhookSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSettings"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhookSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhookSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/parley",
                 *       "enabled": true,
                 *       "eventTypes": [
                 *         "message.created",
                 *         "message.updated"
                 *       ]
                 *     }
                 */
                "application/json": {
                    enabled?: boolean;
                    /** @example https://example.com/hooks/parley */
                    url?: string;
                    eventTypes?: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSettings"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/parley"
                 *     }
                 */
                "application/json": {
                    /** @example https://example.com/hooks/parley */
                    url?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookVerification"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["WebhookSigningKey"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateSigningKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["WebhookSigningKey"];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumedOrWebhookSigningKeyMissing"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeSigningKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["WebhookSigningKeyNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrWebhookSigningKeyActive"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoints: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/billing",
                 *       "eventTypes": [
                 *         "contact.created"
                 *       ],
                 *       "description": "Billing"
                 *     }
                 */
                "application/json": {
                    /** @example https://example.com/hooks/parley */
                    url: string;
                    enabled?: boolean;
                    eventTypes?: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrWebhookEndpointLimit"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["WebhookEndpointNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["WebhookEndpointNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    /** @example https://example.com/hooks/parley */
                    url?: string;
                    enabled?: boolean;
                    eventTypes?: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["WebhookEndpointNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookVerification"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["WebhookEndpointNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                eventType?: "contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated" | "webhook.test";
                status?: "succeeded" | "failed";
                endpointId?: string;
                limit?: number;
                pageToken?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attempts: components["schemas"]["WebhookAttempt"][];
                        nextPageToken: string | null;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendWebhookAttempt: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        eventId: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["WebhookAttemptNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrWebhookNotEnabledOrWebhookEventNotKept"];
            413: components["responses"]["BodyTooLarge"];
            414: components["responses"]["UrlTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-31T08:00:00Z",
                 *       "eventTypes": [
                 *         "message.created"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @example 2026-01-31T09:30:00.000Z
                     */
                    since: string;
                    endpointId?: string;
                    eventTypes?: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpointId: string;
                        /**
                         * Format: date-time
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        since: string;
                        eventTypes: ("contact.created" | "contact.updated" | "contact.archived" | "conversation.started" | "conversation.updated" | "conversation.closed" | "message.created" | "message.updated" | "inbox.updated" | "journey.updated" | "chatbot.updated")[];
                        /** @description Sequence of the first replayed event */
                        fromSequence: number;
                        /** @description Sequence of the last replayed event; lower than `fromSequence` if there are none */
                        toSequence: number;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["WebhookEndpointNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrWebhookNotEnabled"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRealtimeTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ticket: string;
                        /**
                         * Format: date-time
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUseOrIdempotencySecretConsumed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    simulateInbound: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "inboxId": "ibx_01k4xq7d9hfk3b0m6a7yz2c5rf",
                 *       "from": "+14155550132",
                 *       "content": {
                 *         "type": "text",
                 *         "text": {
                 *           "body": "Hi, is anybody there?"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    inboxId: string;
                    from: string;
                    profileName?: string;
                    username?: string;
                    content: components["schemas"]["SandboxContent"];
                    replyTo?: string;
                    forwarded?: boolean;
                    hidePhone?: boolean;
                    referral?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    shape?: "messaging" | "standby" | "changes" | "field";
                };
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        providerMessageId: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFoundOrSandboxOff"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSandboxMessages: {
        parameters: {
            query: {
                inboxId: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            providerMessageId: string;
                            to: string;
                            payload: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: date-time
                             * @example 2026-01-31T09:30:00.000Z
                             */
                            receivedAt: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["InboxNotFoundOrSandboxOff"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and the same request within 24 hours returns the first response and has no second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "advanceSeconds": 3600
                 *     }
                 */
                "application/json": {
                    advanceSeconds: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @example 2026-01-31T09:30:00.000Z
                         */
                        now: string;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SandboxOff"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setSandboxFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callbacks": {
                 *         "duplicate": {
                 *           "probability": 0.1
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    seed?: number;
                    requests?: {
                        /** @enum {string} */
                        answer: "rateLimited" | "pairLimited" | "appLimited" | "serverError" | "maintenance" | "tokenExpired" | "accountLocked" | "paymentIssue" | "error" | "hang" | "reset" | "slow" | "acceptThenHang" | "acceptThenReset" | "acceptThenError";
                        probability?: number;
                        count?: number;
                        to?: string;
                        /** @description The provider's error code, with answer `error` */
                        code?: number;
                        status?: number;
                        message?: string;
                        delayMs?: number;
                    }[];
                    callbacks?: {
                        drop?: {
                            probability?: number;
                            count?: number;
                        };
                        lose?: {
                            probability?: number;
                            count?: number;
                        };
                        duplicate?: {
                            probability?: number;
                            count?: number;
                        };
                        reorder?: {
                            probability?: number;
                            count?: number;
                        };
                        delay?: {
                            probability?: number;
                            count?: number;
                            ms: number;
                        };
                        statuses?: ("sent" | "delivered" | "read")[];
                        batch?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        seed?: number;
                        requests?: {
                            /** @enum {string} */
                            answer: "rateLimited" | "pairLimited" | "appLimited" | "serverError" | "maintenance" | "tokenExpired" | "accountLocked" | "paymentIssue" | "error" | "hang" | "reset" | "slow" | "acceptThenHang" | "acceptThenReset" | "acceptThenError";
                            probability?: number;
                            count?: number;
                            to?: string;
                            /** @description The provider's error code, with answer `error` */
                            code?: number;
                            status?: number;
                            message?: string;
                            delayMs?: number;
                        }[];
                        callbacks?: {
                            drop?: {
                                probability?: number;
                                count?: number;
                            };
                            lose?: {
                                probability?: number;
                                count?: number;
                            };
                            duplicate?: {
                                probability?: number;
                                count?: number;
                            };
                            reorder?: {
                                probability?: number;
                                count?: number;
                            };
                            delay?: {
                                probability?: number;
                                count?: number;
                                ms: number;
                            };
                            statuses?: ("sent" | "delivered" | "read")[];
                            batch?: number;
                        };
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SandboxOff"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    clearSandboxFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrMalformedBody"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["SandboxOff"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBootstrap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bootstrap"];
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSiteOrAuthUserRequired"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                q: string;
                kinds?: ("user" | "team" | "conversation" | "message" | "label" | "saved_reply" | "view" | "macro" | "contact" | "segment" | "campaign" | "journey" | "chatbot")[];
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: {
                            /** @enum {string} */
                            kind: "user" | "team" | "conversation" | "message" | "label" | "saved_reply" | "view" | "macro" | "contact" | "segment" | "campaign" | "journey" | "chatbot";
                            items: components["schemas"]["SearchHit"][];
                        }[];
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrl"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContactTimeline: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["ContactTimelineItem"][];
                        nextCursor: string | null;
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["ValidationFailedOrMalformedUrlOrInvalidPageToken"];
            401: components["responses"]["AuthTokenInvalid"];
            403: components["responses"]["AuthRoleMissingOrAuthScopeMissingOrAuthCrossSite"];
            404: components["responses"]["ContactNotFound"];
            414: components["responses"]["UrlTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    onContactCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactCreatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactArchived: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactArchivedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversationStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationStartedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversationUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onConversationClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationClosedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageCreatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInboxUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InboxUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onJourneyUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JourneyUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChatbotUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description Unix seconds of the attempt. */
                "webhook-timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatbotUpdatedEvent"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery is attempted again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
