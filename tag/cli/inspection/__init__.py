"""``tag inspect``: positions with what agents think of each action, as text and on a screen."""
